import { once } from "node:events";
import { connect } from "node:net";
import { describe, expect, it } from "vitest";
import { clientConfig, clientNames } from "../../packages/palimpsest/src/surfaces/mcp/client-configs.ts";
import { runCli } from "../support/cli.ts";
import { callsAndAnswers, toolNames } from "./calls.ts";
import { call, httpClient, httpServer, servedProject } from "./support.ts";

/** Bytes on a bare socket; the first line of the answer, or nothing where the server hung up. */
async function statusOf(url: URL, head: readonly string[], body = ""): Promise<string> {
  const socket = connect(Number(url.port), "127.0.0.1");
  socket.write(`${head.join("\r\n")}\r\n\r\n${body}`);
  let answer = "";
  socket.on("data", (chunk) => {
    answer += chunk;
    if (answer.includes("\r\n")) socket.destroy();
  });
  socket.on("error", () => undefined);
  await once(socket, "close");
  return answer.split("\r\n")[0] ?? "";
}

describe("palimpsest mcp on HTTP", () => {
  it("lists every tool and answers a call of each, to several clients at once", async () => {
    const { home, store } = await servedProject();
    const server = await httpServer(home);
    const [client, other] = await Promise.all([httpClient(server), httpClient(server)]);
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(toolNames);
    for (const [name, input, answer] of await callsAndAnswers(store)) {
      expect(await call(client, name, input), name).toEqual({
        text: expect.stringMatching(answer),
        isError: false,
      });
    }
    expect((await call(other, "memory_read", { path: "new.md" })).text).toContain("The crane is red.");
    server.child.kill("SIGINT");
    expect(await once(server.child, "close")).toEqual([130, null]);
  });

  it("refuses whoever has no token, a foreign Host or Origin, and requests that mean two things", async () => {
    const { home } = await servedProject();
    const server = await httpServer(home);
    const { url, token } = server;
    const post = "POST /mcp HTTP/1.1";
    const host = `Host: ${url.host}`;
    const bearer = `Authorization: Bearer ${token}`;
    const close = "Connection: close";
    const length = "Content-Length: 2";
    const attacks = [
      ["no token", [post, host, length, close], /401/],
      ["a wrong token", [post, host, "Authorization: Bearer x", length, close], /401/],
      ["a rebound name", [post, "Host: evil.example", bearer, length, close], /403/],
      ["another port", [post, "Host: 127.0.0.1:1", bearer, length, close], /403/],
      ["two hosts", [post, host, "Host: evil.example", bearer, length, close], /400/],
      ["an absolute address", [`POST http://evil.example/mcp HTTP/1.1`, host, bearer, length, close], /400/],
      ["another site's page", [post, host, bearer, "Origin: http://evil.example", length, close], /403/],
      ["a sandboxed page", [post, host, bearer, "Origin: null", length, close], /403/],
      ["another site's request", [post, host, bearer, "Sec-Fetch-Site: cross-site", length, close], /403/],
      ["two lengths", [post, host, bearer, length, "Transfer-Encoding: chunked", close], /400/],
      ["large headers", [post, host, bearer, `X: ${"x".repeat(20_000)}`, close], /431/],
      ["another path", ["GET /status HTTP/1.1", host, bearer, close], /404/],
      ["no JSON", [post, host, bearer, length, close], /400/],
      ["an unknown session", [post, host, bearer, "Mcp-Session-Id: x", length, close], /404/],
    ] as const;
    for (const [name, head, status] of attacks) {
      expect(await statusOf(url, head, "xx"), name).toMatch(status);
    }
    const large = [post, host, bearer, "Content-Length: 5000000", close];
    expect(await statusOf(url, large, "x".repeat(5_000_000))).toMatch(/413/);
    const client = await httpClient(server);
    expect((await client.listTools()).tools).toHaveLength(toolNames.length);
    expect(server.refusals.join("\n")).toContain("refused: The bearer token is missing or wrong.");
    expect(server.refusals.join("\n")).not.toContain(token);
  });

  it("says so when the port is taken", async () => {
    const { home } = await servedProject();
    const { url } = await httpServer(home);
    const { code, stderr } = await runCli(["mcp", "--http", "--port", url.port], { home });
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringContaining(`Port ${url.port} is in use.`),
    });
  });
});

describe("what a client's settings need", () => {
  it.each(clientNames)("is printed for %s, and nothing else", async (client) => {
    const { home } = await servedProject();
    const { code, stdout, stderr } = await runCli(["mcp", "--print-config", client], { home });
    expect({ code, stdout }).toEqual({ code: 0, stdout: `${clientConfig(client, home)?.text}\n` });
    expect(stderr).toMatch(/^Put this into /);
    expect(stdout).toContain("palimpsest");
  });

  it("is refused for a client that is not known, with those that are", async () => {
    const { code, stderr } = await runCli(["mcp", "--print-config", "netscape"]);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining("claude") });
  });
});
