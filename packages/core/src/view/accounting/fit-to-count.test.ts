import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { viewOf } from "../../../../../test/support/accounting-items.ts";
import { answered, called, said } from "../../../../../test/support/ledger-entries.ts";
import { account } from "./account.ts";
import type { Category, NamedShare } from "./accounting.ts";

const tool = (name: string) => ({ name, input_schema: {} });
const given = {
  system: [{ type: "text" as const, text: "x".repeat(600) }],
  tools: [tool("Read"), tool("Grep"), tool("mcp__a__b")],
  memoryFiles: [{ path: "/CLAUDE.md", text: "x".repeat(70) }],
};
const messages = [
  said("x".repeat(90)),
  called("t1", "Read", { file_path: "/a.ts" }),
  answered("t1", "x".repeat(301)),
  called("t2", "Read", { file_path: "/a.ts" }),
  answered("t2", "x".repeat(299)),
  called("t3", "Grep", { pattern: "x" }),
  answered("t3", "x".repeat(40)),
  { type: "attachment" as const, subtype: "file", content: "x".repeat(50) },
];
const { items, input } = viewOf(messages, given);

const head: readonly Category[] = ["systemPrompt", "builtInTools", "mcpTools", "memoryFiles"];
const sumOf = (shares: readonly { readonly tokens: number }[]) =>
  shares.reduce((sum, { tokens }) => sum + tokens, 0);
const named = (shares: readonly NamedShare[]) => sumOf(shares);

describe("an accounting with a count", () => {
  it("adds up to it, what stands before the messages and every table too", () => {
    const tokens = fc.nat({ max: 300_000 });
    fc.assert(
      fc.property(tokens, tokens, (totalTokens, headTokens) => {
        const counted = { totalTokens, headTokens };
        const { total, categories, ...tables } = account(items, { ...input, counted });
        expect(total).toBe(totalTokens);
        expect(sumOf(Object.values(categories))).toBe(totalTokens);
        expect(sumOf(head.map((category) => categories[category]))).toBe(Math.min(headTokens, totalTokens));
        expect(named(tables.requestsByTool)).toBe(categories.toolRequests.tokens);
        expect(named(tables.resultsByTool)).toBe(categories.toolResults.tokens);
        expect(named(tables.attachmentsByType)).toBe(categories.attachments.tokens);
        expect(named(tables.memoryFilesByPath)).toBe(categories.memoryFiles.tokens);
      }),
    );
  });

  it("shares it out as it was estimated", () => {
    const estimated = account(items, input);
    const headTokens = sumOf(head.map((category) => estimated.categories[category]));
    expect(account(items, { ...input, counted: { totalTokens: estimated.total, headTokens } })).toEqual(
      estimated,
    );
    const counted = { totalTokens: 2 * estimated.total, headTokens: 2 * headTokens };
    expect(account(items, { ...input, counted }).categories).toEqual(
      Object.fromEntries(
        Object.entries(estimated.categories).map(([category, { tokens, percent }]) => [
          category,
          { tokens: 2 * tokens, percent },
        ]),
      ),
    );
  });

  it("gives the system prompt all that is sent before the messages of a transcript", () => {
    const counted = { totalTokens: 1_000, headTokens: 800 };
    const { categories } = account([items[0]!], {
      ...input,
      system: [],
      tools: [],
      memoryFiles: [],
      counted,
    });
    expect(categories).toMatchObject({ systemPrompt: { tokens: 800 }, humanMessages: { tokens: 200 } });
  });

  it("has what cannot be shared out among the rest", () => {
    const counted = { totalTokens: 1_000, headTokens: 0 };
    const { categories } = account(items, { ...input, estimate: () => 0, counted });
    expect(categories).toMatchObject({ other: { tokens: 1_000 }, systemPrompt: { tokens: 0 } });
  });
});
