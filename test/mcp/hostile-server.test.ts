import { describe, expect, it } from "vitest";
import { checkTools } from "../../packages/testing/src/emulator/request/check-tools.ts";
import { call, namesOf, useClients } from "./support.ts";

type Answers = Readonly<Record<string, (params: Readonly<Record<string, unknown>>) => unknown>>;

/** A server of which every answer is the test's own. */
function answering(answers: Answers): typeof globalThis.fetch {
  const greet = () => ({
    protocolVersion: "2025-06-18",
    capabilities: { tools: {}, resources: {}, prompts: {} },
    serverInfo: { name: "hostile", version: "1" },
  });
  return async (_, init) => {
    if (init?.method !== "POST") return new Response(null, { status: 405 });
    const { id, method, params = {} } = JSON.parse(String(init.body));
    if (id === undefined) return new Response(null, { status: 202 });
    const result = ({ initialize: greet, ...answers } as Answers)[method]?.(params) ?? {};
    return Response.json({ jsonrpc: "2.0", id, result });
  };
}

function useHostile(answers: Answers) {
  return useClients({ "h h": { url: "https://hostile.example/mcp" } }, { fetch: answering(answers) });
}

describe("an MCP server that means harm", () => {
  it("gets only tools through that the API takes", async () => {
    const { clients, warnings } = useHostile({
      "tools/list": () => ({
        tools: [
          null,
          7,
          { name: "" },
          { name: 5 },
          { name: "same", description: "first" },
          { name: "same", description: "second" },
          { name: "a b" },
          { name: "a_b" },
          { name: "x".repeat(500), description: "é".repeat(10_000), inputSchema: { type: "string" } },
          { name: "__proto__", inputSchema: [], _meta: 1, annotations: "yes" },
          {
            name: "bad",
            inputSchema: { type: "object", properties: { "a b": {}, c: { type: "nope" } }, required: 1 },
          },
        ],
      }),
    });
    await clients.start();
    const tools = clients.tools();
    const found: unknown[] = [];
    const sent = tools.map(({ name, description, input_schema }) => ({ name, description, input_schema }));
    checkTools({ tools: sent } as never, (...problem) => found.push(problem));
    expect(found).toEqual([]);
    expect(
      namesOf(tools).filter((name) => !/^mcp__h_h__[\w-]{1,54}$/.test(name) || name.length > 64),
    ).toEqual([]);
    expect(tools).toHaveLength(6);
    expect(tools.map(({ description = "" }) => description.length).toSorted()).toEqual([
      0, 0, 0, 0, 2_000, 5,
    ]);
    expect(sent.find(({ name }) => name.includes("__bad_"))?.input_schema).toEqual({
      type: "object",
      properties: { c: {} },
    });
    expect(warnings).toEqual([]);
  });

  it("cannot keep anybody busy with pages without end, or with tools without end", async () => {
    let pages = 0;
    const { clients } = useHostile({
      "tools/list": () => {
        pages += 1;
        return { tools: [], nextCursor: "again" };
      },
    });
    await clients.start();
    expect([pages, clients.tools()]).toEqual([100, []]);
    const many = useHostile({
      "tools/list": () => ({ tools: Array.from({ length: 2_000 }, (_, number) => ({ name: `t${number}` })) }),
    });
    await many.clients.start();
    expect(many.clients.tools()).toHaveLength(500);
  });

  it.each<[unknown, unknown]>([
    [{}, { content: "" }],
    [{ content: "text" }, { content: "" }],
    [{ content: [{ type: "video", data: "x" }] }, { content: '{"type":"video","data":"x"}' }],
    [{ toolResult: { a: 1 } }, { content: '{"toolResult":{"a":1}}' }],
    [{ content: [{ type: "text" }, null, 3], isError: "no" }, { content: "" }],
    [
      { content: [{ type: "image", mimeType: "image/png", data: "<script>" }] },
      { content: "[image, image/png, 6 bytes: it cannot be shown]" },
    ],
  ])("may answer %j", async (answer, outcome) => {
    const { clients } = useHostile({
      "tools/list": () => ({ tools: [{ name: "t" }] }),
      "tools/call": () => answer,
    });
    await clients.start();
    expect(await call(clients, namesOf(clients.tools())[0]!)).toEqual(outcome);
  });

  it("is told nothing but what is asked of it: a call that was answered is not cancelled", async () => {
    const heard: unknown[] = [];
    const answer = answering({ "tools/list": () => ({ tools: [{ name: "t" }] }) });
    const fetch: typeof answer = (input, init) => {
      heard.push(init?.method === "POST" ? JSON.parse(String(init.body)).method : init?.method);
      return answer(input, init);
    };
    const { clients } = useClients({ h: { url: "https://hostile.example/mcp" } }, { fetch });
    await clients.start();
    await call(clients, "mcp__h__t");
    await clients.close();
    expect(heard).toEqual(["initialize", "notifications/initialized", "GET", "tools/list", "tools/call"]);
  });
});
