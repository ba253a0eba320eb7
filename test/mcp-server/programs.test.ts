import { serveMcpHttp } from "palimpsest/mcp";
import { describe, expect, it } from "vitest";
import { toolNames } from "./calls.ts";
import { call, httpClient, servedProject } from "./support.ts";

describe("an MCP server in a program", () => {
  it("serves a project as the command does, until it is closed", async () => {
    const { home } = await servedProject();
    const server = await serveMcpHttp({ home, cwd: home });
    const client = await httpClient({ url: new URL(server.url), token: server.token });
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(toolNames);
    expect((await call(client, "memory_read", { path: "staging.md" })).text).toContain("Frankfurt");
    await server.close();
    await expect(fetch(server.url)).rejects.toThrow();
  });

  it("says that a port is taken, and leaves nothing open", async () => {
    const { home } = await servedProject();
    const first = await serveMcpHttp({ home, cwd: home });
    const port = Number(new URL(first.url).port);
    await expect(serveMcpHttp({ home, cwd: home, port })).rejects.toMatchObject({ code: "io" });
    await first.close();
  });
});
