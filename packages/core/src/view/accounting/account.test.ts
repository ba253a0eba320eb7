import { describe, expect, it } from "vitest";
import { lengthOf, viewOf } from "../../../../../test/support/accounting-items.ts";
import { answered, called, said } from "../../../../../test/support/ledger-entries.ts";
import { isBlock, type Message, type ViewItem } from "../../spec/index.ts";
import { toItem, withBlock } from "../projection/message-items.ts";
import { account } from "./account.ts";
import { type AccountingInput, type Category, categories } from "./accounting.ts";

const image = { type: "image", source: { type: "url", url: "https://example.org/a.png" } } as const;

function accountOf(messages: readonly Message[], more: Partial<AccountingInput> = {}) {
  const { items, input } = viewOf(messages, more);
  return account(items, input);
}

/** The categories that have tokens. */
function tokensOf(items: readonly ViewItem[], input: AccountingInput): Partial<Record<Category, number>> {
  const all = Object.entries(account(items, input).categories);
  return Object.fromEntries(
    all.flatMap(([category, { tokens }]) => (tokens > 0 ? [[category, tokens]] : [])),
  );
}

function categoriesOf(...messages: readonly Message[]) {
  const { items, input } = viewOf(messages);
  return tokensOf(items, input);
}

describe("account", () => {
  it.each<[Category, Message]>([
    ["humanMessages", said("12345")],
    ["assistantMessages", { type: "assistant", content: "12345" }],
    ["thinking", { type: "assistant", content: [{ type: "thinking", thinking: "12345" }] }],
    ["summaries", said("12345", { isCompactSummary: true })],
    ["other", said("12345", { isMeta: true })],
    ["other", said([{ type: "text", text: "<system-reminder>" }])],
    ["other", said([{ type: "search_result", text: "12345" }])],
    ["localCommandOutput", said("<local-command-stdout>12345</local-command-stdout>")],
    ["imagesAndDocuments", said([image])],
  ])("counts as %s what belongs there", (category, message) => {
    const tokens = lengthOf(viewOf([message]).items[0]!.block);
    expect(categoriesOf(message)).toEqual({ [category]: tokens });
  });

  it("has tool requests and results by tool, the largest first", () => {
    const accounting = accountOf([
      called("t1", "Bash"),
      answered("t1", "12345"),
      called("t2", "Read", { file_path: "/a" }),
      answered("t2", "1234567890".repeat(5)),
      called("t3", "Bash"),
      answered("t3", "12"),
      answered("t9", "lost"),
    ]);
    expect(accounting.categories.toolRequests).toEqual({ tokens: 30, percent: 33 });
    expect(accounting.requestsByTool).toEqual([
      { name: "Bash", count: 2, tokens: 20, percent: 22 },
      { name: "Read", count: 1, tokens: 10, percent: 11 },
    ]);
    expect(accounting.resultsByTool).toEqual([
      { name: "Read", count: 1, tokens: 50, percent: 55 },
      { name: "Bash", count: 2, tokens: 7, percent: 8 },
      { name: "unknown", count: 1, tokens: 4, percent: 4 },
    ]);
  });

  it("counts images apart from the results and attachments they stand in", () => {
    const inside = [{ type: "text", text: "12345" }, image];
    const messages: Message[] = [
      called("t1", "Read"),
      answered("t1", inside),
      { type: "attachment", subtype: "file", content: [image] },
    ];
    expect(categoriesOf(...messages)).toEqual({ toolRequests: 10, toolResults: 5, imagesAndDocuments: 200 });
    expect(accountOf(messages).attachmentsByType).toEqual([
      { name: "file", count: 1, tokens: 0, percent: 0 },
    ]);
  });

  it("counts attachments, not their blocks, by type", () => {
    const text = { type: "text", text: "x" };
    const attach = (subtype: string | undefined, blocks: number): Message => ({
      type: "attachment",
      ...(subtype !== undefined && { subtype }),
      content: Array<typeof text>(blocks).fill(text),
    });
    const { attachmentsByType } = accountOf([
      attach("file", 2),
      attach("file", 1),
      attach(undefined, 1),
      attach("", 1),
    ]);
    expect(attachmentsByType.map(({ name, count }) => [name, count])).toEqual([
      ["file", 2],
      ["unknown", 2],
    ]);
  });

  it("knows what decisions brought in and what they replaced", () => {
    const { items, input } = viewOf([called("t1", "Read"), answered("t1", "12345"), said("12345")]);
    const inserted = (text: string, index: number) =>
      toItem({ type: "text", text }, "user", index, { entry: "d1", seq: 9, decision: "d1" });
    const attached = '<attachment type="todos">\nx\n</attachment>';
    const decided = [
      inserted("summary", 0),
      inserted(attached, 1000),
      items[0]!,
      withBlock(items[2]!, { type: "text", text: "as text" }, "d2"),
    ];
    expect(tokensOf(decided, input)).toEqual({
      summaries: 7,
      attachments: attached.length,
      toolRequests: 10,
      other: 7,
    });
    expect(account(decided, input).attachmentsByType).toEqual([
      { name: "todos", count: 1, tokens: attached.length, percent: 63 },
    ]);
  });

  it("has what is sent before the messages", () => {
    const tool = (name: string) => ({ name: name.padEnd(9, "_"), input_schema: {} });
    const accounting = accountOf([], {
      estimate: lengthOf,
      system: [
        { type: "text", text: "123" },
        { type: "text", text: "45" },
      ],
      memoryFiles: [
        { path: "/CLAUDE.md", text: "1234567" },
        { path: "/other.md", text: "12345678" },
      ],
      tools: [tool("Read"), tool("mcp__a__b"), tool("mcp__a__c"), tool("mcp__a__d"), tool("Cron")],
      deferredTools: new Set(["mcp__a__d", "Cron_____"]),
    });
    const definition = JSON.stringify(tool("Read")).length;
    expect(accounting).toMatchObject({
      total: 20 + 3 * definition,
      categories: {
        systemPrompt: { tokens: 5 },
        builtInTools: { tokens: definition },
        mcpTools: { tokens: 2 * definition },
        memoryFiles: { tokens: 15 },
      },
      memoryFilesByPath: [
        { name: "/other.md", tokens: 8 },
        { name: "/CLAUDE.md", tokens: 7 },
      ],
      deferredTools: { count: 2, tokens: 2 * definition },
    });
  });

  it.each([
    [0, 800, 200],
    [799, 1, 200],
    [800, 0, 200],
    [900, 0, 100],
    [1_000, 0, 0],
    [2_000, 0, 0],
  ])("leaves, of a window of 1,000 with %i used, %i free and %i reserved", (used, free, reserved) => {
    const { freeSpace, reservedBuffer, total } = accountOf([said("x".repeat(used))]);
    expect([total, freeSpace.tokens, reservedBuffer.tokens]).toEqual([used, free, reserved]);
    expect([freeSpace.percent, reservedBuffer.percent]).toEqual([Math.round(free / 10), reserved / 10]);
  });

  it("has no percentages of nothing", () => {
    const { categories: shares, freeSpace } = accountOf([], { thresholds: { window: 0, base: 0 } });
    expect(shares).toEqual(Object.fromEntries(categories.map((category) => [category, { tokens: 0 }])));
    expect(freeSpace).toEqual({ tokens: 0 });
  });

  it("finds what was read more than once, by path", () => {
    const read = (id: string, path: string, text: string) => [
      called(id, "Read", { file_path: path }),
      answered(id, text),
    ];
    const messages = [
      ...read("t1", "/a", "1".repeat(10)),
      ...read("t2", "/a", "1".repeat(11)),
      ...read("t3", "/a", "1".repeat(11)),
      ...read("t4", "/b", "1".repeat(100)),
      ...read("t5", "/c", "1".repeat(50)),
      ...read("t6", "/c", "1".repeat(50)),
      called("t7", "Edit", { file_path: "/b" }),
      answered("t7", "done"),
    ];
    expect(accountOf(messages).duplicateReads).toEqual([
      { path: "/c", count: 2, tokens: 50 },
      { path: "/a", count: 3, tokens: 20 },
    ]);
  });

  it("takes a result that a decision has replaced for no reading", () => {
    const { items, input } = viewOf([
      called("t1", "Read", { file_path: "/a" }),
      answered("t1", "long"),
      called("t2", "Read", { file_path: "/a" }),
      answered("t2", "long"),
    ]);
    const cleared = items.with(1, withBlock(items[1]!, { ...items[1]!.block, content: "[cleared]" }, "d1"));
    expect(account(items, input).duplicateReads).toEqual([{ path: "/a", count: 2, tokens: 4 }]);
    expect(account(cleared, input).duplicateReads).toEqual([]);
  });

  it("never throws: what fails is reported and counts as nothing", () => {
    const accounting = accountOf([said("boom"), said("boom"), said("less"), said("12345")], {
      estimate: (block) => {
        const text = isBlock(block, "text") ? block.text : "";
        if (text === "boom") throw new Error("no tokenizer");
        return text === "less" ? Number.NaN : lengthOf(block);
      },
      messageOf: () => {
        throw "gone";
      },
      system: [{ type: "text", text: "boom" }],
    });
    expect(accounting).toMatchObject({
      total: 5,
      categories: { humanMessages: { tokens: 5, percent: 100 } },
    });
    expect(accounting.failures).toEqual([
      { metric: "estimate", message: "NaN is not a number of tokens", count: 1 },
      { metric: "estimate", message: "no tokenizer", count: 3 },
      { metric: "messageOf", message: "gone", count: 4 },
    ]);
  });
});
