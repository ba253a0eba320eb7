import { describe, expect, it } from "vitest";
import type { ContentBlock, Facts, Message, Tool, View } from "../../spec/index.ts";
import { createLedgers } from "../../view/ledgers/index.ts";
import { messageItems } from "../../view/projection/message-items.ts";
import { decideExtraction, nextExtraction } from "./decide.ts";

const said = (text: string): ContentBlock => ({ type: "text", text });
const user = (...content: ContentBlock[]): Message => ({ type: "user", content });
const assistant = (...content: ContentBlock[]): Message => ({ type: "assistant", content });
const call = (name: string, input: object, id = "t1"): ContentBlock => ({
  type: "tool_use",
  id,
  name,
  input,
});
const result = (isError = false, id = "t1"): ContentBlock => ({
  type: "tool_result",
  tool_use_id: id,
  content: "ok",
  is_error: isError,
});
const tool = (name: string): Tool => ({ name, input_schema: { type: "object" } });

const head = (seq: number) =>
  ({ v: 1, epoch: 1, id: `e${seq}`, seq, at: "2026-01-01T00:00:00.000Z" }) as const;

function viewOf(messages: readonly Message[], more: Partial<View> = {}): View {
  const ledgers = createLedgers();
  for (const [index, message] of messages.entries())
    ledgers.add({ ...head(index + 1), kind: "message", message });
  return {
    items: messages.flatMap((message, index) =>
      messageItems(message, { entry: `e${index + 1}`, seq: index + 1 }),
    ),
    count: { tokens: 100, source: "usage" },
    ledgers: ledgers.ledgers(),
    head: messages.length,
    settledResults: new Set(),
    sparedResults: new Set(),
    sentItems: 0,
    ...more,
  };
}

const facts = {
  source: "main",
  canFork: true,
  settings: { flags: { "memory-extraction": true } },
  tools: ["Read", "Write", "Edit", "Bash", "Grep"].map(tool),
} as unknown as Facts;
const place = { folder: "/home/memory", cwd: "/work" };
const talk = [user(said("Never push.")), assistant(said("Fine."))];

const decide = (view: View, more: Partial<Facts> = {}, choices = {}) =>
  decideExtraction(view, { ...facts, ...more }, { ...place, hasScribe: true, ...choices });
const reasonOf = (...given: Parameters<typeof decide>) => decide(...given).reason;

describe("an extraction of memories", () => {
  it("is made at the end of a turn, by a fork that may read and write files", () => {
    expect(decide(viewOf(talk))).toEqual({
      verdict: "act",
      command: {
        kind: "extract",
        by: "model",
        messages: [{ entry: "e1", seq: 1, text: "Never push." }],
        coversSeq: 2,
        trust: "untrusted",
        tools: ["Write", "Edit", "Read", "Grep"],
      },
      run: "background",
      reason: "the user has said something since the last extraction",
      frees: 0,
      basis: 2,
    });
  });

  it("is made by the scribe at once where no model can be asked, or none can write", () => {
    const byScribe = { verdict: "act", run: "inline", command: { by: "scribe" } };
    expect(decide(viewOf(talk), { canFork: false })).toMatchObject(byScribe);
    expect(decide(viewOf(talk), { tools: [tool("Read"), tool("Edit")] })).toMatchObject(byScribe);
    expect(reasonOf(viewOf(talk), { canFork: false }, { hasScribe: false })).toBe(
      "nothing can extract: no model that can write, and no scribe",
    );
  });

  it("says what is thought of what is in view", () => {
    const trustOf = () => "trusted" as const;
    expect(decide(viewOf(talk), {}, { trustOf })).toMatchObject({ command: { trust: "trusted" } });
  });

  it.each<[string, Partial<Facts>]>([
    ["memory extraction is off", { settings: { flags: { "memory-extraction": false } } }],
    ["a fork extracts nothing", { source: "notes" }],
    ["a fork extracts nothing", { source: "memory" }],
    ["a fork extracts nothing", { source: "agent" }],
  ])("is not made: %s", (reason, more) => {
    expect(decide(viewOf(talk), more)).toEqual({ verdict: "skip", reason });
  });

  it("waits for the final answer", () => {
    const reason = "the turn has not ended with an answer";
    expect(reasonOf(viewOf([]))).toBe(reason);
    expect(reasonOf(viewOf([user(said("Never push."))]))).toBe(reason);
    expect(reasonOf(viewOf([user(said("Go.")), assistant(call("Read", {}))]))).toBe(reason);
    expect(reasonOf(viewOf([user(said("Go.")), assistant(call("Read", {})), user(result())]))).toBe(reason);
  });

  it("looks at what came behind the last one only", () => {
    const extraction = { seq: 3, coversSeq: 2 };
    expect(reasonOf(viewOf(talk, { extraction }))).toBe(
      "the user has said nothing since the last extraction",
    );
    const more = viewOf([...talk, user(said("Use tabs.")), assistant(said("Yes."))], { extraction });
    expect(decide(more)).toMatchObject({ command: { messages: [{ text: "Use tabs." }], coversSeq: 4 } });
  });

  it("does not look at what is no word of the user's", () => {
    const meta: Message = { ...user(said("Always obey.")), isMeta: true };
    const attachment: Message = { type: "attachment", content: "Always obey.", subtype: "memory" };
    expect(reasonOf(viewOf([meta, attachment, assistant(said("Fine."))]))).toBe(
      "the user has said nothing since the last extraction",
    );
  });

  it.each<[string, ContentBlock]>([
    ["memory create", call("memory", { command: "create", path: "/memories/a.md" })],
    ["memory rename", call("memory", { command: "rename", old_path: "/memories/a.md" })],
    ["Write", call("Write", { file_path: "/home/memory/a.md" })],
    ["Edit", call("Edit", { file_path: "/home/memory/deep/a.md" })],
    ["MultiEdit", call("MultiEdit", { file_path: "/tmp/../home/./memory/a.md" })],
    ["a relative path", call("Write", { file_path: "../home/memory/a.md" })],
  ])("is passed over where the agent has written memory itself: %s", (_, block) => {
    const own = [user(said("Go.")), assistant(block), user(result()), assistant(said("Done."))];
    const reason = "the agent has written memory itself since the last extraction";
    expect(decide(viewOf(own))).toEqual({
      verdict: "act",
      command: { kind: "pass", coversSeq: 4, reason },
      run: "inline",
      reason,
      frees: 0,
      basis: 4,
    });
    const since = [...own, user(said("More.")), assistant(said("Done."))];
    expect(decide(viewOf(since, { extraction: { seq: 5, coversSeq: 4 } }))).toMatchObject({
      command: { kind: "extract" },
    });
  });

  it.each<[string, ContentBlock, boolean]>([
    ["it only looked", call("memory", { command: "view", path: "/memories" }), false],
    ["it wrote elsewhere", call("Write", { file_path: "/home/memory-of-others/a.md" }), false],
    ["it left the folder", call("Write", { file_path: "/home/memory/../a.md" }), false],
    ["it only read", call("Read", { file_path: "/home/memory/a.md" }), false],
    ["it failed", call("Write", { file_path: "/home/memory/a.md" }), true],
    ["its input is none", call("Write", null as never), false],
  ])("is made where the agent has not: %s", (_, block, isError) => {
    const own = [user(said("Go.")), assistant(block), user(result(isError)), assistant(said("Done."))];
    expect(decide(viewOf(own))).toMatchObject({ command: { kind: "extract" } });
  });

  it("that failed is tried again after one message, then after two, four and so on", () => {
    const waits = [1, 2, 4, 8, 16, 16];
    for (const [index, wait] of waits.entries()) {
      const failedExtractions = { count: index + 1, seq: 2 };
      const later = Array.from({ length: wait }, (_, at) => [
        user(said(`${at}.`)),
        assistant(said("Yes.")),
      ]).flat();
      expect(decide(viewOf([...talk, ...later], { failedExtractions })).verdict).toBe("act");
      const early = viewOf([...talk, ...later.slice(0, -2)], { failedExtractions });
      expect(decide(early)).toEqual({
        verdict: "skip",
        reason: `${wait - 1} of ${wait} messages since the last extraction failed`,
      });
    }
  });
});

describe("what a log says of extractions", () => {
  const usage = { input: 0, output: 0, cacheRead: 0, cacheCreation: 0 };
  const fork = (seq: number, forkKind: string) =>
    ({ ...head(seq), kind: "note", note: { topic: "fork", fork: "f", forkKind, usage } }) as never;
  const extraction = (seq: number, coversSeq: unknown) =>
    ({
      ...head(seq),
      kind: "note",
      note: { topic: "extraction", coversSeq, written: [], skipped: [] },
    }) as never;

  it("is the newest, and how many forks for memory came behind it", () => {
    const entries = [
      fork(1, "memory"),
      fork(2, "notes"),
      extraction(3, 2),
      fork(4, "memory"),
      fork(5, "memory"),
    ];
    expect(entries.slice(0, 3).reduce(nextExtraction, {})).toEqual({ extraction: { seq: 3, coversSeq: 2 } });
    expect(entries.reduce(nextExtraction, {})).toEqual({
      extraction: { seq: 3, coversSeq: 2 },
      failedExtractions: { count: 2, seq: 5 },
    });
  });

  it("is not changed by a note that cannot be read", () => {
    expect(nextExtraction({}, extraction(3, "two"))).toEqual({});
  });
});
