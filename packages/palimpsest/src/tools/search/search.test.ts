import { describe, expect, it } from "vitest";
import type { Tool, ToolContext } from "../../../../core/src/spec/index.ts";
import { createDispatcherTool, createToolSearchTool, toInnerCall } from "./index.ts";
import { nearNames } from "./tool-search-tool.ts";

const tool = (name: string, description: string, more: Partial<Tool> = {}): Tool => ({
  name,
  description,
  input_schema: {
    type: "object",
    properties: { path: { type: "string" }, count: { type: "integer" } },
    required: ["path"],
  },
  subjectsOf: (input) => [
    { kind: "path", value: String((input as { path?: unknown }).path), access: "read" },
  ],
  run: async (input) => ({ content: `${name} ${JSON.stringify(input)}` }),
  ...more,
});

const tools = [
  tool("mcp__files__read_file", "Reads a file from a disk."),
  tool("mcp__files__delete", "Deletes a file."),
  tool("mcp__mail__send", "Sends mail with a file."),
];

async function search(query: string, deferred = tools, more: object = {}) {
  const outcome = await createToolSearchTool({ deferred: () => deferred }).run?.(
    { query, ...more },
    {} as ToolContext,
  );
  const text = String(outcome?.content);
  return { text, names: [...text.matchAll(/^\{"name":"([^"]+)"/gm)].map(([, name]) => name) };
}

describe("the ToolSearch tool", () => {
  it("finds by words, names before descriptions", async () => {
    expect((await search("send file")).names).toEqual([
      "mcp__mail__send",
      "mcp__files__read_file",
      "mcp__files__delete",
    ]);
    expect((await search("file +delete")).names).toEqual(["mcp__files__delete"]);
    expect((await search("file", tools, { max_results: 1 })).names).toEqual(["mcp__files__read_file"]);
  });

  it("finds by name, and gives whole definitions with how to call them", async () => {
    const { text } = await search("select:MCP__files__DELETE, no-such");
    expect(text).toBe(
      `Call these with UseTool, as {"name": "mcp__files__delete", "input": {…}}:\n${JSON.stringify({
        name: "mcp__files__delete",
        description: "Deletes a file.",
        input_schema: tools[1]?.input_schema,
      })}`,
    );
  });

  it("names what is near where nothing fits, and what there is where nothing is near", async () => {
    expect((await search("select:mcp__files__delet")).text).toMatch(
      /^No tool fits .* Near are: mcp__files__delete/,
    );
    expect((await search("unicorn")).text).toMatch("There are 3 tools, such as mcp__files__read_file");
    expect((await search("x", [])).text).toBe("There are no tools besides those in your list.");
    expect((await search("+++")).names).toEqual([]);
  });

  it("keeps within bounds", async () => {
    const huge = Array.from({ length: 20 }, (_, at) =>
      tool(`huge_${at}`, "x".repeat(90_000), {
        input_schema: { type: "object", description: "y".repeat(9_000) },
      }),
    );
    const { text } = await search("huge", huge, { max_results: 20 });
    expect(text.length).toBeLessThan(45_000);
    expect(text).toMatch(/Too long to be shown as well: .*huge_19/);
  });
});

describe("the UseTool dispatcher", () => {
  const dispatcher = createDispatcherTool({
    find: (name) => tools.find((one) => one.name === name),
    names: () => tools.map(({ name }) => name),
  });
  const use = (name: string, input: unknown) => dispatcher.run?.({ name, input }, {} as ToolContext);

  it("runs the tool it names, with numbers where they came as texts", async () => {
    expect(await use("mcp__files__delete", { path: "/a", count: "3" })).toEqual({
      content: 'mcp__files__delete {"path":"/a","count":3}',
    });
  });

  it("touches what that tool touches", () => {
    expect(dispatcher.subjectsOf?.({ name: "mcp__files__delete", input: { path: "/a" } })).toEqual([
      { kind: "path", value: "/a", access: "read" },
    ]);
    for (const wrong of [
      null,
      3,
      {},
      { name: "x" },
      { name: 3, input: 3 },
      { name: "UseTool", input: { name: "UseTool" } },
    ]) {
      expect(dispatcher.subjectsOf?.(wrong)).toEqual([]);
    }
  });

  it("checks the input by that tool's schema, and shows it", async () => {
    expect(await use("mcp__files__delete", { count: "many" })).toEqual({
      content: `The input of mcp__files__delete is not right. \`path\` is missing. \`count\` must be a whole number, and is "many". Its schema: ${JSON.stringify(tools[1]?.input_schema)}`,
      isError: true,
    });
  });

  it("says what is near a name that is not there, and does not call itself", async () => {
    expect(await use("files_delete", {})).toEqual({
      content:
        "There is no tool files_delete to be called this way. Near are: mcp__files__delete, mcp__files__read_file. Tools in your list are called directly.",
      isError: true,
    });
    expect(await use("UseTool", {})).toMatchObject({
      content: expect.stringMatching(/does not call itself/),
      isError: true,
    });
    expect(await use("", {})).toMatchObject({ isError: true });
    expect(await use("__proto__", {})).toMatchObject({ isError: true });
  });

  it("says that a tool without work cannot be called", async () => {
    const hollow = createDispatcherTool({
      find: (name) => tool(name, "", { run: undefined }),
      names: () => [],
    });
    expect(await hollow.run?.({ name: "x", input: {} }, {} as ToolContext)).toEqual({
      content: "x cannot be called here.",
      isError: true,
    });
  });

  it("tells which call is inside", () => {
    expect(toInnerCall("UseTool", { name: "a", input: { b: 1 } })).toEqual({ name: "a", input: { b: 1 } });
    expect(toInnerCall("UseTool", { name: "a" })).toEqual({ name: "a", input: {} });
    expect([toInnerCall("Bash", { name: "a" }), toInnerCall("UseTool", null)]).toEqual([
      undefined,
      undefined,
    ]);
  });
});

describe("near names", () => {
  it("are the likest first, and none that is not", () => {
    expect(nearNames("WebFecth", ["WebSearch", "Read", "WebFetch"], 5)).toEqual(["WebFetch", "WebSearch"]);
    expect(nearNames("", ["Read"], 5)).toEqual([]);
  });
});
