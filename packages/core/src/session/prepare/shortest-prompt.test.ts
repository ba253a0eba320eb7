import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createHistory, operation } from "../../../../../test/support/histories.ts";
import { createCatalog } from "../../catalog/index.ts";
import { extractLargeValues, omitLargeValues } from "../../log/large-values.ts";
import type { Entry, Message } from "../../spec/index.ts";
import type { OutlineOptions } from "../../view/projection/projection.ts";
import { plainEstimate } from "../../view/tokens/index.ts";
import { stateHead } from "../head/store-head.ts";
import { createSessionState, type SessionState } from "../session-state.ts";

const { value: prices } = createCatalog().prices("claude-opus-4-5");

function createState(options: OutlineOptions = {}): SessionState {
  const state = createSessionState({ ...options, pricesOf: () => prices });
  const { bytes, features } = stateHead([{ type: "text", text: "x".repeat(400) }], []);
  state.begin({ bytes, features });
  return state;
}

/** As a session that runs takes entries: what has to be read again is read at once. */
function addTo(state: SessionState, log: readonly Entry[], entry: Entry): void {
  const needs = state.add(entry);
  if (needs !== null) state.rebuild(log.filter(({ seq }) => seq > needs));
}

/** As a session is opened: what has to be read again is read at the end, and large values only then. */
function reopen(log: readonly Entry[], outlineChars = 1_000_000): SessionState {
  const state = createState({ outlineChars });
  let needs: number | null = null;
  for (const entry of log) needs = state.add(omitLargeValues(stored(entry)));
  const after = needs ?? state.segmentStart;
  if (needs !== null || state.hasUnread) state.rebuild(log.filter(({ seq }) => seq > after));
  const fill = state.startFill();
  for (const entry of log) fill.take(entry);
  fill.end();
  return state;
}

const stored = (entry: Entry): Entry => extractLargeValues(entry).draft as Entry;
const headOf = (state: SessionState) => state.headTokens(plainEstimate);

/** The entry with a usage of its own, a large result here and there, and now and then another head. */
function varied(entry: Entry, numbers: readonly number[]): Entry {
  const number = numbers[entry.seq % numbers.length] ?? 0;
  if (entry.kind === "note" && number % 2 === 0)
    return { ...entry, note: { topic: "head", model: `model ${number % 3}` } };
  if (entry.kind !== "message") return entry;
  const { usage, content, type } = entry.message;
  const isLarge = type === "user" && number % 5 === 0;
  return {
    ...entry,
    message: {
      ...entry.message,
      ...(usage && { usage: { ...usage, cacheRead: number } }),
      ...(isLarge && { content: enlarged(content) }),
    },
  };
}

function enlarged(content: Message["content"]): Message["content"] {
  const text = "large ".repeat(12_000);
  if (typeof content === "string") return text;
  return content.map((block) => (block.type === "tool_result" ? { ...block, content: text } : block));
}

describe("the provider's count of the head", () => {
  it("is the same for a session that runs, for one that is opened again, and for a copy", () => {
    const numbers = fc.array(fc.nat({ max: 600 }), { minLength: 5, maxLength: 40 });
    fc.assert(
      fc.property(fc.array(operation, { maxLength: 40 }), numbers, (operations, given) => {
        const history = createHistory();
        const log: Entry[] = [];
        const running = createState();
        for (const next of operations) {
          const written = history.write(next);
          if (!written) continue;
          const entry = varied(written, given);
          log.push(entry);
          addTo(running, log, entry);
          for (const held of [0, 1_000, 1_000_000])
            expect(headOf(reopen(log, held))).toEqual(headOf(running));
        }
        expect(headOf(running.copy())).toEqual(headOf(running));
      }),
      { numRuns: 150 },
    );
  });

  const usage = (input: number) => ({ input, output: 1, cacheRead: 0, cacheCreation: 0 });
  const said: Message = { type: "user", content: "x".repeat(40) };
  const answer = (input: number, more: Partial<Message> = {}): Message => ({
    type: "assistant",
    content: "Yes.",
    usage: usage(input),
    ...more,
  });

  /** The head after these messages; a number stands for another model. */
  function headAfter(...messages: readonly (Message | number)[]) {
    const history = createHistory();
    const state = createState();
    for (const one of messages)
      state.add(
        typeof one === "number"
          ? history.append({ kind: "note", note: { topic: "head", model: `model ${one}` } })
          : history.append({ kind: "message", message: one }),
      );
    return headOf(state);
  }

  const estimated = { tokens: 134, source: "plain" };

  it("is that of the shortest prompt, less its messages", () => {
    expect(headAfter(said)).toEqual(estimated);
    expect(headAfter(said, answer(300))).toEqual({ tokens: 286, source: "usage" });
    expect(headAfter(said, answer(300), said, answer(320))).toEqual({ tokens: 286, source: "usage" });
    expect(headAfter(said, answer(300), said, answer(120))).toEqual({ tokens: 99, source: "usage" });
  });

  it.each<[string, Message]>([
    ["was aborted", answer(300, { isAborted: true })],
    ["says nothing of its usage", answer(300, { usage: undefined })],
    ["has a usage of nothing", answer(0)],
    ["is of a side-chain", answer(300, { isSidechain: true })],
    ["is an error made here", answer(300, { isApiErrorMessage: true, model: "<synthetic>" })],
    [
      "was made after the API had cleared results",
      answer(300, { contextManagement: { applied_edits: [{}] } }),
    ],
    ["comes with the API's own summary", answer(300, { content: [{ type: "compaction", content: "All." }] })],
  ])("is not told by a response that %s", (_what, message) => {
    expect(headAfter(said, message)).toEqual(estimated);
  });

  it("is told by the first entry of a response, not by those behind its results", () => {
    const [first, second] = [answer(300, { responseId: "r" }), answer(100, { responseId: "r" })];
    expect(headAfter(said, first, said, second)).toEqual({ tokens: 286, source: "usage" });
  });

  it("is not told by a response before which nothing stands", () => {
    expect(headAfter(answer(300))).toEqual(estimated);
  });

  it("is forgotten with the model that was asked, and learned anew", () => {
    expect(headAfter(1, said, answer(300), 2)).toEqual(estimated);
    expect(headAfter(1, said, answer(300), 1)).toEqual({ tokens: 286, source: "usage" });
    expect(headAfter(1, said, answer(300), 2, said, answer(900))).toEqual({ tokens: 872, source: "usage" });
  });

  /** Decisions of a test, and a state that has taken what was appended so far. */
  function createWork() {
    const history = createHistory();
    const state = createState();
    const append = (body: Parameters<typeof history.append>[0]) => {
      const entry = history.append(body);
      addTo(state, history.entries, entry);
      return entry;
    };
    const about = { layer: "test", reason: "", frees: 0 };
    return {
      state,
      head: () => [headOf(state), headOf(reopen(history.entries))],
      say: (message: Message) => append({ kind: "message", message }),
      switchTo: (model: string) => append({ kind: "note", note: { topic: "head", model } }),
      rewind: ({ id: to, seq: toSeq }: Entry) =>
        append({ kind: "decision", decision: { ...about, type: "rewind", basis: toSeq, to, toSeq } }),
      undo: ({ id: decision, seq: decisionSeq }: Entry) =>
        append({
          kind: "decision",
          decision: { ...about, type: "restore", basis: decisionSeq, decision, decisionSeq },
        }),
      compact: ({ id: covers, seq: basis }: Entry) =>
        append({
          kind: "decision",
          decision: {
            ...about,
            type: "compact",
            basis,
            trigger: "auto",
            strategy: "test",
            tokensBefore: 2,
            tokensAfter: 1,
            summary: { type: "user", content: "Yes.", isCompactSummary: true },
            covers,
            attachments: [],
            discoveredTools: [],
          },
        }),
    };
  }

  it("stays when the response that told it is rewound", () => {
    const work = createWork();
    const question = work.say(said);
    work.say(answer(300));
    work.rewind(question);
    expect(work.state.items).toHaveLength(1);
    expect(work.head()).toEqual(Array(2).fill({ tokens: 286, source: "usage" }));
    expect(work.state.count(plainEstimate)).toEqual({ tokens: 286 + 14, source: "plain" });
  });

  it("is not told by a response whose view was undone, once that view cannot be seen again", () => {
    const work = createWork();
    const long = work.say({ type: "user", content: "x".repeat(4_000) });
    work.say(answer(2_000));
    work.rewind(long);
    const boundary = work.compact(work.say(said));
    work.say(answer(250));
    expect(work.head()).toEqual(Array(2).fill({ tokens: 248, source: "usage" }));
    work.undo(boundary);
    expect(work.head()).toEqual(Array(2).fill({ tokens: 666, source: "usage" }));
    work.say(answer(1_900));
    expect(work.head()).toEqual(Array(2).fill({ tokens: 552, source: "usage" }));
  });

  it("is not that of another model after going back to a boundary", () => {
    const work = createWork();
    work.switchTo("one");
    const question = work.say(said);
    work.rewind(question);
    const last = work.say(answer(300));
    work.compact(last);
    const next = work.say(said);
    work.switchTo("another");
    work.rewind(next);
    expect(work.head()).toEqual(Array(2).fill(estimated));
  });
});
