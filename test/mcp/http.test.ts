import { describe, expect, it } from "vitest";
import { useHttpServer } from "./http-fixture.ts";
import { call, takeNotices, until, useClients } from "./support.ts";

describe("MCP servers behind an address", () => {
  it.each([{ isJson: false }, { isJson: true }])("answer calls: %j", async (options) => {
    const server = await useHttpServer(options);
    const { clients, warnings } = useClients({ wiki: { url: server.url } });
    await clients.start();
    expect(clients.status()).toMatchObject([{ transport: "http", state: "ready", title: "fixture 1.0.0" }]);
    expect(await call(clients, "mcp__wiki__echo", { text: "hello" })).toEqual({ content: "echo: hello" });
    const { content } = await call(clients, "mcp__wiki__big", { chars: 1_000_000 });
    expect(content === "é".repeat(1_000_000)).toBe(true);
    expect(warnings).toEqual([]);
  });

  it("are sent what variables hold, and nobody is shown it", async () => {
    const server = await useHttpServer();
    const environment = { WIKI_TOKEN: "hush-hush" };
    const headers = { Authorization: `Bearer \${WIKI_TOKEN}` };
    const { clients } = useClients({ wiki: { url: server.url, headers } }, { environment });
    await clients.start();
    await call(clients, "mcp__wiki__echo");
    expect(new Set(server.authorizations)).toEqual(new Set(["Bearer hush-hush"]));
    server.answerWith((request, response) =>
      response.writeHead(500).end(`who is ${request.headers.authorization}?`),
    );
    const { content } = await call(clients, "mcp__wiki__echo");
    expect(content).toBe(
      "The MCP server “wiki” was lost during the call: Streamable HTTP error: Error POSTing to endpoint: who is ***? The tool only reads, so the call can be made again.",
    );
  });

  it("tell of changed tools on a stream of their own", async () => {
    const server = await useHttpServer();
    const { clients } = useClients({ wiki: { url: server.url } });
    await clients.start();
    await call(clients, "mcp__wiki__change");
    await until(() => clients.lateTools().length === 1);
    expect((await takeNotices(clients)).map(({ subtype }) => subtype)).toEqual(["tools"]);
  });

  it("report progress, and are told when a call is cancelled", async () => {
    const server = await useHttpServer();
    const { clients } = useClients({ wiki: { url: server.url } });
    await clients.start();
    const progress: string[] = [];
    const abort = new AbortController();
    const options = { signal: abort.signal, onProgress: (text: string) => progress.push(text) };
    const slow = call(clients, "mcp__wiki__slow", {}, options);
    await until(() => progress.length === 2);
    abort.abort();
    expect(await slow).toMatchObject({ isError: true });
    let seen = "";
    while (!seen.includes("cancelled")) seen = String((await call(clients, "mcp__wiki__seen")).content);
    expect(progress).toEqual(["1/2 half way", "2/2 nearly there"]);
  });

  it.each([404, 400])(
    "are greeted anew where a session has expired, and the call is made: %i",
    async (status) => {
      const server = await useHttpServer();
      let isRefusing = false;
      const fetch: typeof globalThis.fetch = async (input, init) => {
        const isCall = typeof init?.body === "string" && init.body.includes("tools/call");
        if (!isRefusing || !isCall) return globalThis.fetch(input, init);
        isRefusing = false;
        return new Response("no session", { status });
      };
      const { clients } = useClients({ wiki: { url: server.url } }, { fetch });
      await clients.start();
      isRefusing = true;
      expect(await call(clients, "mcp__wiki__echo", { text: 1 })).toEqual({ content: "echo: 1" });
      server.expire();
      expect(await call(clients, "mcp__wiki__echo", { text: 2 })).toEqual({ content: "echo: 2" });
      expect(server.sessions()).toBe(3);
    },
  );

  it("that are cut off during a call say that it may have had effects", async () => {
    const server = await useHttpServer();
    const { clients, clock } = useClients({ wiki: { url: server.url } });
    await clients.start();
    let steps = 0;
    const slow = call(clients, "mcp__wiki__slow", {}, { onProgress: () => (steps += 1) });
    await until(() => steps === 2);
    const sleeping = clock.sleeping;
    server.cut();
    await until(() => clock.sleeping > sleeping);
    await clock.advance(1_000);
    expect(await slow).toEqual({
      content:
        "The MCP server “wiki” was lost during the call: the connection ended before the answer came. The call may have had effects: find out before you make it again.",
      isError: true,
    });
    expect(await call(clients, "mcp__wiki__echo", { text: "back" })).toEqual({ content: "echo: back" });
  });

  it("that can go on with a cut stream bring the answer after all", async () => {
    const server = await useHttpServer({ isResumable: true });
    const { clients, clock } = useClients({ wiki: { url: server.url } });
    await clients.start();
    let steps = 0;
    const slow = call(clients, "mcp__wiki__slow", {}, { onProgress: () => (steps += 1) });
    await until(() => steps === 2);
    const sleeping = clock.sleeping;
    server.cut();
    await until(() => clock.sleeping > sleeping);
    await clock.advance(20_000);
    await call(clients, "mcp__wiki__release");
    expect(await slow).toEqual({ content: "slow and done" });
  });

  it("that are gone say that the call was not made, and fail after some tries", async () => {
    const server = await useHttpServer();
    const { clients, warnings } = useClients(
      { wiki: { url: server.url } },
      { numbers: { reconnectDelayMs: 0 } },
    );
    await clients.start();
    await server.close();
    let gone = await call(clients, "mcp__wiki__echo");
    if (String(gone.content).includes("was lost")) gone = await call(clients, "mcp__wiki__echo");
    expect(gone).toEqual({
      content: `The call was not made. MCP server “wiki”: it could not be reached (ECONNREFUSED). Check that ${server.url} is an MCP server with streamable HTTP, and that it runs.`,
      isError: true,
    });
    expect(warnings).toEqual([
      {
        server: "wiki",
        message: "MCP server “wiki”: it could not be reached (ECONNREFUSED)",
        fix: `Check that ${server.url} is an MCP server with streamable HTTP, and that it runs.`,
      },
    ]);
  });

  it.each<[number, string]>([
    [401, "it refused the connection (HTTP 401)"],
    [200, "it did not answer as an MCP server: Streamable HTTP error: Unexpected content type: text/html"],
  ])("that are none, or refuse, are reported: %i", async (status, message) => {
    const server = await useHttpServer();
    server.answerWith((_, response) => {
      response.writeHead(status, { "content-type": "text/html" }).end("<html>");
    });
    const { clients, warnings } = useClients({ wiki: { url: `${server.url}?key=secret` } });
    await clients.start();
    expect(warnings).toEqual([
      {
        server: "wiki",
        message: `MCP server “wiki”: ${message}`,
        fix: expect.stringMatching(/^Check [^?]*$/),
      },
    ]);
  });

  it("never get their headers sent elsewhere by a redirect", async () => {
    const elsewhere = await useHttpServer();
    const server = await useHttpServer();
    server.answerWith((_, response) => {
      response.writeHead(307, { location: elsewhere.url }).end();
    });
    const settings = { url: server.url, headers: { Authorization: "secret" } };
    const { clients, warnings } = useClients({ wiki: settings });
    await clients.start();
    expect(elsewhere.authorizations).toEqual([]);
    expect(warnings).toHaveLength(1);
  });
});
