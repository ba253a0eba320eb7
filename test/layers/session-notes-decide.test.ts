import { describe, expect, it } from "vitest";
import { createSessionNotesLayer } from "../../packages/core/src/layers/3-session-notes/index.ts";
import type { ContentBlock, Facts, Message, NotesRecord, View } from "../../packages/core/src/spec/index.ts";
import { createLedgers } from "../../packages/core/src/view/ledgers/index.ts";
import { messageItems } from "../../packages/core/src/view/projection/message-items.ts";

const call = (id: string): ContentBlock => ({ type: "tool_use", id, name: "Read", input: {} });
const result = (id: string): ContentBlock => ({ type: "tool_result", tool_use_id: id, content: "ok" });
const said = (words: string): ContentBlock => ({ type: "text", text: words });
const user = (...content: ContentBlock[]): Message => ({ type: "user", content });
const assistant = (...content: ContentBlock[]): Message => ({ type: "assistant", content });

/** The user asks, the assistant calls so many tools one after the other, and answers unless told otherwise. */
function talk(calls: number, answers = true): readonly Message[] {
  const rounds = Array.from({ length: calls }, (_, at) => [
    assistant(call(`c${at}`)),
    user(result(`c${at}`)),
  ]);
  return [user(said("go")), ...rounds.flat(), ...(answers ? [assistant(said("done"))] : [])];
}

function viewOf(messages: readonly Message[], tokens: number, more: Partial<View> = {}): View {
  return {
    items: messages.flatMap((message, index) =>
      messageItems(message, { entry: `e${index + 1}`, seq: index + 1 }),
    ),
    count: { tokens, source: "usage" },
    ledgers: createLedgers().ledgers(),
    head: messages.length,
    settledResults: new Set(),
    sparedResults: new Set(),
    sentItems: 0,
    ...more,
  };
}

const facts: Facts = {
  source: "main",
  canFork: true,
  settings: {},
  tools: [],
  statistics: { dollars: 1 },
  thresholds: { window: 200_000, effective: 180_000, auto: 167_000, warning: 0, error: 0, blocking: 0 },
} as unknown as Facts;

const notes: NotesRecord = { entry: "n", seq: 2, text: "", covers: "e1", coversSeq: 1, tokensAt: 10_000 };
const layer = createSessionNotesLayer();
const turnEnd = { kind: "turn-end" } as const;
const decide = (view: View, more: Partial<Facts> = {}) => layer.decide(view, turnEnd, { ...facts, ...more });
const verdictOf = (view: View, more: Partial<Facts> = {}) => decide(view, more).verdict;

describe("the notes are due", () => {
  it.each([
    [9_999, "skip"],
    [10_000, "act"],
  ])("for the first time at 10,000 tokens: %d", (tokens, verdict) => {
    expect(verdictOf(viewOf(talk(0), tokens))).toBe(verdict);
    expect(verdictOf(viewOf(talk(1, false), tokens))).toBe(verdict);
  });

  it.each([
    [14_999, 3, false, "skip"],
    [15_000, 3, false, "act"],
    [15_000, 2, false, "skip"],
    [15_000, 2, true, "act"],
    [15_000, 0, true, "act"],
    [14_999, 9, true, "skip"],
    [90_000, 2, false, "skip"],
  ])("again at %d tokens with %d calls, answered: %s → %s", (tokens, calls, answers, verdict) => {
    expect(verdictOf(viewOf(talk(calls, answers), tokens, { notes }))).toBe(verdict);
  });

  it("counts calls since the last message that they cover", () => {
    const covering = { ...notes, covers: "e3", coversSeq: 3 };
    expect(verdictOf(viewOf(talk(3, false), 20_000, { notes: covering }))).toBe("skip");
    expect(verdictOf(viewOf(talk(4, false), 20_000, { notes: covering }))).toBe("act");
  });

  it("never while a call waits for its result", () => {
    const open = [...talk(3, false), assistant(call("open"))];
    expect(decide(viewOf(open, 50_000))).toEqual({
      verdict: "skip",
      reason: "a call of a tool waits for its result",
    });
    expect(verdictOf(viewOf([...open, user(result("open"))], 50_000))).toBe("act");
  });

  it.each(["notes", "compaction", "memory", "collapse", "agent"] as const)(
    "never in a fork of kind %s",
    (source) => {
      expect(verdictOf(viewOf(talk(0), 50_000), { source })).toBe("skip");
    },
  );

  it("not where they are off, where nobody can write them, and where there is no message", () => {
    expect(verdictOf(viewOf(talk(0), 50_000), { settings: { switches: { sessionNotes: false } } })).toBe(
      "skip",
    );
    expect(verdictOf(viewOf(talk(0), 50_000), { canFork: false })).toBe("skip");
    expect(verdictOf(viewOf([], 50_000))).toBe("skip");
  });

  it("earlier in a small window", () => {
    const thresholds = { ...facts.thresholds, window: 8_000 };
    expect(verdictOf(viewOf(talk(0), 799), { thresholds })).toBe("skip");
    expect(verdictOf(viewOf(talk(0), 800), { thresholds })).toBe("act");
  });
});

describe("after updates that failed", () => {
  const long = (tokens: number) => [...talk(0), user(said("x".repeat(tokens * 4)))];

  it.each([
    [1, 4_999, "skip"],
    [1, 5_000, "act"],
    [2, 9_999, "skip"],
    [2, 10_000, "act"],
    [7, 319_999, "skip"],
    [7, 320_000, "act"],
    [50, 320_000, "act"],
  ])("%d of them, the next waits for new tokens: %d → %s", (count, tokens, verdict) => {
    const failedUpdates = { count, seq: 2 };
    expect(verdictOf(viewOf(long(tokens), 400_000, { failedUpdates }))).toBe(verdict);
  });
});

describe("the budget", () => {
  const due = viewOf(talk(0), 50_000, { notes });

  it.each([
    [0.9, 0.1, "act"],
    [0.9, 0.1001, "skip"],
    [0, 0, "act"],
  ])("of a session that cost $%d, with notes for $%d → %s", (dollars, spent, verdict) => {
    const statistics = { ...facts.statistics, dollars, forkDollars: { notes: spent } };
    expect(verdictOf(due, { statistics })).toBe(verdict);
  });

  it("counts what other forks cost as the session's", () => {
    const statistics = { ...facts.statistics, dollars: 0.4, forkDollars: { notes: 0.1, agent: 0.5 } };
    expect(verdictOf(due, { statistics })).toBe("act");
  });

  it("does not hold the first update back", () => {
    const statistics = { ...facts.statistics, dollars: 0, forkDollars: { notes: 1 } };
    expect(verdictOf(viewOf(talk(0), 50_000), { statistics })).toBe("act");
  });

  it("keeps the cost of updates at a tenth, and one update over it at most, however dear they are", () => {
    const update = 0.3;
    let [dollars, spent, most] = [0.1, 0, 0];
    for (let turn = 0; turn < 500; turn += 1) {
      dollars += 0.02;
      const statistics = { ...facts.statistics, dollars, forkDollars: { notes: spent } };
      if (verdictOf(due, { statistics }) === "act") spent += update;
      most = Math.max(most, spent - 0.1 * (dollars + spent));
    }
    expect(spent).toBeGreaterThan(update);
    expect(most).toBeLessThanOrEqual(update);
  });

  it("can be set", () => {
    const statistics = { ...facts.statistics, dollars: 0.5, forkDollars: { notes: 0.5 } };
    expect(verdictOf(due, { statistics, settings: { sessionNotes: { budgetPercent: 50 } } })).toBe("act");
    expect(verdictOf(due, { statistics, settings: { sessionNotes: { budgetPercent: 49 } } })).toBe("skip");
  });
});

describe("what is decided", () => {
  it("runs in the background, on the newest entry, covering the newest message", () => {
    const view = viewOf(talk(1), 12_345);
    const summary = messageItems(
      { type: "user", content: "summary" },
      { entry: "d", seq: 99, decision: "d" },
    );
    expect(decide({ ...view, items: [...view.items, ...summary], head: 99 })).toMatchObject({
      verdict: "act",
      run: "background",
      basis: 99,
      frees: 0,
      reason: "the conversation has 12345 tokens",
      command: { by: "model", covers: "e4", coversSeq: 4, tokensAt: 12_345, canEdit: false },
    });
  });

  it("is the same for the same view and facts", () => {
    expect(decide(viewOf(talk(1), 12_345))).toEqual(decide(viewOf(talk(1), 12_345)));
  });

  it("is done at once by the scribe where there is no model", () => {
    const scribe = createSessionNotesLayer({ write: () => "" });
    expect(scribe.decide(viewOf(talk(1), 12_345), turnEnd, { ...facts, canFork: false })).toMatchObject({
      run: "inline",
      command: { by: "scribe" },
    });
  });
});

describe("a request", () => {
  it.each([
    [166_999, {}, 0],
    [167_000, {}, 15_000],
    [167_000, { switches: { notesCompaction: false } }, 0],
    [167_000, { sessionNotes: { waitMs: 1 } }, 1],
  ])("of %d tokens with %j waits %d ms for an update", (tokens, settings, expected) => {
    expect(layer.waitMs?.(viewOf(talk(0), tokens), { ...facts, settings })).toBe(expected);
  });
});
