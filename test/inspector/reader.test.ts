import { describe, expect, it } from "vitest";
import { type Entry, type EntryDraft, ok } from "../../packages/core/src/spec/index.ts";
import { fromBeginning } from "../../packages/palimpsest/src/surfaces/inspector/read/opened-session.ts";
import { readTexts } from "../../packages/palimpsest/src/surfaces/inspector/read/session-texts.ts";
import { answers, calls, decides, resultOf, says, text, used } from "./support/drafts.ts";
import { readAll, viewsOf } from "./support/read-all.ts";

const startMs = Date.UTC(2026, 0, 1);

/** Entries a second apart, unless a draft has a time of its own. */
function toEntries(drafts: readonly EntryDraft[]): readonly Entry[] {
  return drafts.map((draft, index) => {
    const at = new Date(startMs + index * 1000).toISOString();
    return { v: 1, seq: index + 1, epoch: 1, id: `e${index + 1}`, at, ...draft } as Entry;
  });
}

const minutesIn = (minutes: number) => new Date(startMs + minutes * 60_000).toISOString();
const read = (drafts: readonly EntryDraft[]) => readAll(toEntries(drafts)).since(fromBeginning);
const head = { layer: "test", reason: "it was full", frees: 400, basis: 4 } as const;
const header: EntryDraft = {
  kind: "session",
  session: {
    id: "one",
    project: "p",
    model: "claude-opus-4-5",
    system: { blob: "s", bytes: 1, lines: 1, text: JSON.stringify([{ type: "text", text: "Be kind." }]) },
    tools: {
      blob: "t",
      bytes: 1,
      lines: 1,
      text: JSON.stringify([
        { name: "Read", description: "reads", input_schema: {} },
        { name: "mcp__a__b", description: "does", input_schema: {} },
        { name: "Later", description: "waits", input_schema: {}, isDeferred: true },
      ]),
    },
  },
};
const cleared = decides({
  ...head,
  type: "clear",
  parts: [{ toolUseId: "t1", part: "result", label: "[cleared]" }],
});
const reading = [
  header,
  says("look at it"),
  answers("r1", [calls("t1", "Read", { file_path: "/a/b.ts" })], { usage: used(0, 900) }),
  resultOf("t1", "long ".repeat(400)),
  answers("r2", [text("I see")], { usage: used(900, 500) }),
];

describe("the session reader", () => {
  it("begins views with the system prompt and the tools that are sent", () => {
    const { items, categories } = read(reading);
    const shown = items.map(({ role, kind, title, category }) => [role, kind, title, categories[category]]);
    expect(shown.slice(0, 5)).toEqual([
      ["system", "text", "Be kind.", "systemPrompt"],
      ["tools", "tool", "Read", "builtInTools"],
      ["tools", "tool", "mcp__a__b", "mcpTools"],
      ["user", "text", "look at it", "humanMessages"],
      ["assistant", "tool_use", "Read /a/b.ts", "toolRequests"],
    ]);
  });

  it("shows a cleared result from the next request on, with the original to be opened", async () => {
    const entries = toEntries([
      ...reading,
      cleared,
      says("go on"),
      answers("r3", [text("done")], { usage: used(900, 100) }),
    ]);
    const reader = readAll(entries);
    const session = reader.since(fromBeginning);
    const [before, after] = viewsOf(session).slice(1);
    const formOf = (view: readonly number[] = []) =>
      view.find((number) => session.items[number]?.kind === "tool_result") as number;
    expect(session.items[formOf(before)]).toMatchObject({ state: "whole", hasOriginal: false, call: "t1" });
    expect(session.items[formOf(after)]).toMatchObject({
      state: "cleared",
      hasOriginal: true,
      call: "t1",
      title: "Read /a/b.ts",
      origin: session.items[formOf(before)]?.origin,
    });
    const texts = await readTexts([formOf(after)], reader.itemAt, async (seq) =>
      ok(entries[seq - 1] as Entry),
    );
    expect(texts).toEqual(ok([{ shown: "[cleared]", original: "long ".repeat(400) }]));
    expect(session.marks).toEqual([
      {
        request: 2,
        seq: 6,
        kind: "clear",
        text: "Cleared 1 part of tool calls, 400 tokens freed (it was full)",
        freed: 400,
      },
    ]);
    expect(session.requests.breaks[2]).toEqual({
      kind: "announced",
      reason: "Cleared 1 part of tool calls, 400 tokens freed.",
      tokens: 500,
    });
  });

  it("goes back to the former views when a decision is undone and when the conversation is rewound", () => {
    const undo = decides({ ...head, type: "restore", decision: "e6", decisionSeq: 6 });
    const rewind = decides({ ...head, type: "rewind", to: "e2", toSeq: 2 });
    const session = read([
      ...reading,
      cleared,
      answers("r3", [text("a")]),
      undo,
      answers("r4", [text("b")]),
      rewind,
      answers("r5", [text("c")]),
    ]);
    const views = viewsOf(session);
    const states = views.map((view) =>
      view.flatMap((number) =>
        session.items[number]?.kind === "tool_result" ? session.items[number]?.state : [],
      ),
    );
    expect(states).toEqual([[], ["whole"], ["cleared"], ["whole"], []]);
    expect(views[4]).toEqual(views[0]);
    expect(views[3]?.slice(0, views[1]?.length)).toEqual(views[1]);
    expect(session.marks.map(({ kind, request }) => [kind, request])).toEqual([
      ["clear", 2],
      ["restore", 3],
      ["rewind", 4],
    ]);
  });

  it("says what a summary stands for, and opens it", async () => {
    const compact = decides({
      ...head,
      basis: 5,
      type: "compact",
      trigger: "auto",
      strategy: "scribe",
      tokensBefore: 1_400,
      tokensAfter: 400,
      summary: { type: "user", content: "It was read.", isCompactSummary: true },
      covers: "e5",
      attachments: [{ type: "attachment", subtype: "file", content: "const a = 1;" }],
      discoveredTools: [],
    });
    const entries = toEntries([
      ...reading,
      compact,
      says("go on"),
      answers("r3", [text("yes")], { usage: used(0, 600) }),
    ]);
    const reader = readAll(entries);
    const { items, marks } = reader.since(fromBeginning);
    const summary = items.findIndex(({ state }) => state === "summarised");
    expect(items[summary]).toMatchObject({ title: "It was read.", hasOriginal: true });
    expect(items[summary]?.covers?.map((number) => items[number]?.title)).toEqual([
      "look at it",
      "Read /a/b.ts",
      "Read /a/b.ts",
      "I see",
    ]);
    expect(items.find(({ state }) => state === "restored")?.kind).toBe("text");
    const texts = await readTexts([summary], reader.itemAt, async (seq) => ok(entries[seq - 1] as Entry));
    expect(texts.ok && texts.value[0]?.original).toContain("── user: text\nlook at it");
    expect(marks[0]).toMatchObject({ kind: "compaction", request: 2 });
  });

  it("takes lines with one response id for one request, and the last usage for its own", () => {
    const { requests } = read([
      says("go"),
      answers("r1", [text("a")], { usage: used(0, 100, 3, 1) }),
      answers("r1", [calls("t1", "Read", {})], { usage: used(0, 100, 3, 20) }),
      resultOf("t1", "x"),
    ]);
    expect([requests.output, requests.tokens]).toEqual([[20], [103]]);
  });

  it("begins anew when a later line changes what was given already", () => {
    const entries = toEntries([
      says("go"),
      answers("r1", [text("a")], { usage: used(0, 100, 3, 1) }),
      answers("r1", [text("b")], { usage: used(0, 100, 3, 9) }),
    ]);
    const reader = readAll(entries.slice(0, 2));
    const before = reader.since(fromBeginning);
    reader.take(entries[2] as Entry);
    const after = reader.since(fromBeginning);
    expect(after.generation).toBeGreaterThan(before.generation);
    expect(after.requests.output).toEqual([9]);
  });

  it("leaves out what no model was asked for: answers made locally, cut ones, and those of sidechains", () => {
    const { requests } = read([
      says("go"),
      {
        kind: "message",
        message: { type: "assistant", content: "no", model: "<synthetic>", isApiErrorMessage: true },
      },
      { kind: "message", message: { type: "assistant", content: "cut", isAborted: true, responseId: "r0" } },
      {
        kind: "message",
        message: { type: "assistant", content: "side", isSidechain: true, responseId: "s" },
      },
      answers("r1", [text("a")]),
    ]);
    expect(requests.seq).toEqual([5]);
  });

  it("tells why the cache was not read: time, model, head, a decision, or nothing that is known", () => {
    const turn = (id: string, read: number, write: number, minute: number, model?: string) => [
      { ...says("more"), at: minutesIn(minute) },
      answers(id, [text("ok")], { usage: used(read, write), at: minutesIn(minute), ...(model && { model }) }),
    ];
    const headNote: EntryDraft = {
      kind: "note",
      note: {
        topic: "head",
        system: { blob: "s2", bytes: 1, lines: 1, text: '[{"type":"text","text":"Be brief."}]' },
      },
    };
    const { requests, marks } = read([
      header,
      ...turn("a", 0, 1000, 0),
      ...turn("b", 1000, 50, 1, "a/router"),
      ...turn("c", 0, 1100, 7),
      { kind: "note", note: { topic: "head", model: "claude-sonnet-4-5" } },
      ...turn("d", 0, 1150, 8, "claude-sonnet-4-5-20250929"),
      headNote,
      ...turn("e", 0, 1200, 9, "claude-sonnet-4-5"),
      ...turn("f", 200, 1050, 10, "b/router"),
      ...turn("g", 1249, 60, 11, "claude-sonnet-4-5"),
    ]);
    expect(requests.breaks.map((broken) => broken && [broken.kind, broken.tokens])).toEqual([
      null,
      null,
      ["cold", 1050],
      ["model", 1100],
      ["head", 1150],
      ["unexplained", 1000],
      null,
    ]);
    expect(marks.map(({ kind, request }) => [kind, request])).toEqual([["model", 3]]);
  });

  it("does not make up for how long a cache is kept that works by itself", () => {
    const turn = (id: string, cacheRead: number, minute: number) => [
      { ...says("more"), at: minutesIn(minute) },
      answers(id, [text("ok")], { usage: used(cacheRead, 0), at: minutesIn(minute) }),
    ];
    const { requests } = read([header, ...turn("a", 1000, 0), ...turn("b", 0, 6), ...turn("c", 900, 7)]);
    expect(requests.breaks).toEqual([
      null,
      {
        kind: "cold",
        reason:
          "6 minutes had passed since the last response; the provider does not say how long it keeps its cache.",
        tokens: 1000,
      },
      null,
    ]);
  });

  it("has a new model where a transcript's answers name another one", () => {
    const imported = {
      kind: "session",
      session: { id: "one", project: "p", imported: { format: "x" } },
    } as const;
    const { marks, model } = read([
      imported,
      says("go"),
      answers("a", [text("ok")], { model: "one" }),
      says("go on"),
      answers("b", [text("ok")], { model: "two" }),
    ]);
    expect([model, marks.map(({ kind, request }) => [kind, request])]).toEqual(["two", [["model", 1]]]);
  });

  it("prices an answer by the name it came with, or by the model asked where nobody knows that name", () => {
    const dollars = (model: string) =>
      read([header, says("go"), answers("r", [text("a")], { usage: used(0, 1_000_000, 0, 0), model })])
        .requests.dollars;
    expect([dollars("nobody-knows-it"), dollars("anthropic/claude-haiku-4.5")]).toEqual([[6.25], [1.25]]);
  });

  it("knows prices and windows of known models, and of no others", () => {
    const known = read([says("go"), answers("r", [text("a")], { usage: used(0, 1_000_000, 0, 0) })]);
    const unknown = read([
      says("go"),
      answers("r", [text("a")], { usage: used(0, 5), model: "nobody-knows-it" }),
    ]);
    expect(known.requests.dollars).toEqual([6.25]);
    expect(known.window).toMatchObject({ tokens: 200_000 });
    expect(known.window?.thresholds.map(({ name }) => name)).toEqual(["warning", "compaction", "blocking"]);
    expect([unknown.requests.dollars, unknown.window]).toEqual([[null], null]);
  });

  it("estimates a request whose response says no usage", () => {
    const { requests, items } = read([says("go on then"), answers("r", [text("a")])]);
    expect(requests.tokens).toEqual([items[0]?.tokens]);
    expect(requests.tokens[0]).toBeGreaterThan(0);
  });

  it("counts turns by what the user said", () => {
    const { requests } = read([
      says("one"),
      answers("a", [calls("t1", "Read", {})]),
      resultOf("t1", "x"),
      answers("b", [text("b")]),
      says("two"),
      answers("c", [text("c")]),
    ]);
    expect(requests.turn).toEqual([1, 1, 2]);
  });

  it("says what of the prompt a transcript does not hold", () => {
    const { items, requests, categories } = read([
      says("go"),
      answers("r", [text("a")], { usage: used(0, 20_000) }),
    ]);
    const unseen = items.find(({ kind }) => kind === "unseen");
    expect(unseen?.tokens).toBeGreaterThan(19_000);
    expect(requests.byCategory[0]?.[categories.indexOf("systemPrompt")]).toBe(unseen?.tokens);
  });

  it("survives usage, times and blocks that are not what they should be", () => {
    const odd = { input: "many", output: -1, cacheRead: Number.NaN, cacheCreation: null } as never;
    const { requests } = read([
      { ...says("go"), at: "never" },
      answers("r", [{ type: "text" } as never, { type: "tool_use", id: 7 } as never], {
        usage: odd,
        at: "soon",
      }),
      says("more"),
      answers("s", [{ type: "nothing-known", more: 1 }]),
    ]);
    expect(requests.at).toHaveLength(2);
    expect(requests.at.every(Number.isFinite)).toBe(true);
    expect(requests.byCategory.flat().every(Number.isInteger)).toBe(true);
  });

  it("does as much work for the ten-thousandth request as for the hundredth", () => {
    const drafts: EntryDraft[] = [header];
    for (let count = 0; count < 10_000; count += 1)
      drafts.push(
        says(`say ${count}`),
        answers(`r${count}`, [text(`answer ${count}`)], { usage: used(1_000 + 20 * count, 20) }),
      );
    const { requests, items } = read(drafts);
    expect(requests.at).toHaveLength(10_000);
    expect(items).toHaveLength(3 + 2 * 10_000 - 1);
    expect(new Set(requests.views.slice(1).map(({ add }) => add.length))).toEqual(new Set([2]));
    expect(requests.views.at(-1)?.keep).toBe(3 + 2 * 9_999 - 1);
  });
});
