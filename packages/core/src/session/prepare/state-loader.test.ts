import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createHistory, type Operation, operation } from "../../../../../test/support/histories.ts";
import { must } from "../../../../testing/src/conformance/outcomes.ts";
import { createCatalog } from "../../catalog/index.ts";
import { extractLargeValues } from "../../log/large-values.ts";
import { type Entry, fail, isBlock, type Message, ok } from "../../spec/index.ts";
import { plainEstimate } from "../../view/tokens/index.ts";
import { stateHead } from "../head/store-head.ts";
import type { SessionLog } from "../session-log.ts";
import { createSessionState, type SessionState } from "../session-state.ts";
import { createStateLoader, type StateLoaderLimits } from "./state-loader.ts";

const { value: prices } = createCatalog().prices("claude-opus-4-5");
const options = { pricesOf: () => prices };
const head = stateHead([{ type: "text", text: "x".repeat(400) }], []);

function addTo(state: SessionState, log: readonly Entry[], entry: Entry): void {
  const needs = state.add(entry);
  if (needs !== null) state.rebuild(log.filter(({ seq }) => seq > needs));
}

/** A log in memory, whose large values are left out where they are not needed. */
function logOf(entries: readonly Entry[]): SessionLog {
  const none = async () => fail("not-found", "There is none.");
  return {
    report: {} as SessionLog["report"],
    isReadOnly: true,
    append: none,
    readBlob: none,
    close: async () => ok(),
    async *readAfter(seq, isNeeded = () => true) {
      for (const entry of entries)
        if (entry.seq > seq) yield ok(isNeeded(stored(entry)) ? entry : stored(entry));
    },
  };
}

const stored = (entry: Entry): Entry => extractLargeValues(entry).draft as Entry;

async function open(entries: readonly Entry[], limits: StateLoaderLimits): Promise<SessionState> {
  const opening = createStateLoader(options, limits);
  for (const entry of entries) opening.visit(stored(entry));
  const state = must(await opening.finish(logOf(entries)));
  state.begin(head);
  return state;
}

/** Texts of many sizes, usages that shrink and grow, and now and then another model. */
function varied(entry: Entry, numbers: readonly number[]): Entry {
  const number = numbers[entry.seq % numbers.length] ?? 0;
  if (entry.kind === "note" && number % 5 === 0)
    return { ...entry, note: { topic: "head", model: `model ${number % 3}` } };
  if (entry.kind !== "message") return entry;
  const { usage } = entry.message;
  const content = longer(entry.message.content, number);
  const message = { ...entry.message, content, ...(usage && { usage: { ...usage, input: 1_000 + number } }) };
  return { ...entry, message };
}

function longer(content: Message["content"], number: number): Message["content"] {
  const text = "long ".repeat(number % 37 === 0 ? 14_000 : number);
  if (typeof content === "string") return `${content}${text}`;
  return content.map((block) => {
    if (isBlock(block, "text")) return { ...block, text: `${block.text}${text}` };
    return isBlock(block, "tool_result") ? { ...block, content: text } : block;
  });
}

/** The visible part of a state. These histories settle results that never come, which an opened session forgets. */
function seen(state: SessionState) {
  const { items, messages, lastSeq, ledgers, statistics, liveCompactions, compactions, decidedSince } = state;
  const { sparedResults, notes, folds, extraction, taint } = state;
  return {
    ...{ items: [...items], messages: [...messages], lastSeq, head: state.head },
    ...{ ledgers, statistics, liveCompactions, compactions, decidedSince, sparedResults },
    ...{ notes, folds, extraction, taint, headTokens: state.headTokens(plainEstimate) },
    count: state.count(plainEstimate),
    digest: state.prefixDigest(items.length),
    traits: items.map(({ entry }) => state.messageOf(entry)),
  };
}

/** Writes operations, and gives them to a state as a running session does. */
function run(operations: readonly Operation[], numbers: readonly number[]) {
  const history = createHistory();
  const log: Entry[] = [];
  const write = (next: Operation): Entry | null => {
    const written = history.write(next);
    if (!written) return null;
    const entry = varied(written, numbers);
    log.push(entry);
    return entry;
  };
  const running = createSessionState(options);
  running.begin(head);
  for (const next of operations) {
    const entry = write(next);
    if (entry) addTo(running, log, entry);
  }
  return { running, log, write };
}

const compacting = fc.oneof(
  { weight: 3, arbitrary: operation },
  { weight: 1, arbitrary: operation.filter(({ op }) => op === "compact" || op === "assistant") },
);
const straight = compacting.filter(({ op }) => op !== "restore" && op !== "rewind");

const numbers = fc.array(fc.nat({ max: 300 }), { minLength: 5, maxLength: 40 });
const limits = fc.record({ chars: fc.constantFrom(0, 2_000, 1e9), items: fc.constantFrom(0, 5, 1e9) });
const unlimited = { chars: 1e9, items: 1e9 };
const later = fc.array(compacting, { maxLength: 8 });
const historyOf = (one: fc.Arbitrary<Operation>) =>
  fc.array(one, { minLength: 1, maxLength: 60, size: "max" });

describe("a log that is opened", () => {
  it("gives the state that its session had, however little is held, and goes on like it", async () => {
    await fc.assert(
      fc.asyncProperty(historyOf(straight), numbers, limits, later, async (all, given, held, more) => {
        const { running, log, write } = run(all, given);
        const opened = await open(log, held);
        expect(seen(opened)).toEqual(seen(running));
        for (const next of more) {
          const entry = write(next);
          if (!entry) continue;
          for (const state of [running, opened]) addTo(state, log, entry);
        }
        expect(seen(opened)).toEqual(seen(running));
      }),
      { numRuns: 100 },
    );
  });

  it("gives the same state however little is held, with undos and rewinds in it too", async () => {
    await fc.assert(
      fc.asyncProperty(historyOf(compacting), numbers, limits, async (all, given, held) => {
        const { log } = run(all, given);
        expect(seen(await open(log, held))).toEqual(seen(await open(log, unlimited)));
      }),
      { numRuns: 100 },
    );
  });
});
