import { describe, expect, it } from "vitest";
import {
  addRound,
  answered,
  createTestLog,
  factsOf,
  said,
  type TestLog,
} from "../../../../../../../test/layers/compaction-support.ts";
import { findSpans, type SpanOptions } from "./find-spans.ts";
import { type FoldGroundOptions, foldGround, measureView } from "./fold-ground.ts";

interface Wanted extends Partial<SpanOptions>, Partial<FoldGroundOptions["numbers"]> {
  readonly boundarySeq?: number;
  readonly spared?: FoldGroundOptions["spared"];
}

/** Each round of 4,000 characters has about 1,020 tokens; the newest is not folded. */
function spansIn(log: TestLog, wanted: Wanted = {}): readonly string[] {
  const { keepTokens = 0, keepRounds = 1, boundarySeq, spared, ...options } = wanted;
  const view = { ...log.view(), ...(boundarySeq !== undefined && { boundarySeq }) };
  const plain = view.items.reduce((sum, { json }) => sum + json.length / 4, 0);
  const measure = measureView(
    { ...view, count: { tokens: plain, source: "plain" } },
    factsOf({ headTokens: 0 }),
  );
  const ground = foldGround(view, {
    measure,
    numbers: { keepTokens, keepRounds },
    ...(spared && { spared }),
  });
  const usual = { spanTokens: 2_000, minSpanTokens: 500, taken: [] };
  return findSpans(ground, { ...usual, ...options }).map(({ from, to, rounds }) => `${from}-${to} ${rounds}`);
}

function rounds(log: TestLog, ...ids: readonly string[]): void {
  for (const id of ids) addRound(log, id, 4_000);
}

function worked(...ids: readonly string[]): TestLog {
  const log = createTestLog();
  log.say(said("Build the thing."));
  rounds(log, ...ids);
  return log;
}

describe("findSpans", () => {
  it("takes whole rounds until a span is large enough, oldest first, and leaves the newest", () => {
    const log = worked("a", "b", "c", "d", "e", "f");
    expect(spansIn(log)).toEqual(["e2-e5 2", "e6-e9 2"]);
    expect(spansIn(log, { keepRounds: 3 })).toEqual(["e2-e5 2"]);
    expect(spansIn(log, { keepTokens: 4_500 })).toEqual([]);
  });

  it("waits with what is not large enough yet, unless there is no time", () => {
    const log = worked("a", "b", "c", "d");
    expect(spansIn(log)).toEqual(["e2-e5 2"]);
    expect(spansIn(log, { takesLast: true })).toEqual(["e2-e5 2", "e6-e7 1"]);
    expect(spansIn(log, { takesLast: true, minSpanTokens: 1_500 })).toEqual(["e2-e5 2"]);
  });

  it("leaves out what is taken", () => {
    const log = worked("a", "b", "c", "d", "e", "f");
    expect(spansIn(log, { taken: [{ from: 1, to: 7 }] })).toEqual(["e6-e9 2"]);
  });

  it("never holds what the user said first, last, or as a rule", () => {
    const log = worked("a", "b");
    log.say(answered("Done."));
    log.say(said("Never touch the lock file."));
    rounds(log, "c", "d");
    log.say(answered("Done again."));
    log.say(said("Now the tests."));
    rounds(log, "e", "f", "g");
    expect(spansIn(log)).toEqual(["e2-e5 2", "e8-e11 2", "e14-e17 2"]);
  });

  it("holds settled words of the user's between its rounds", () => {
    const log = worked("a");
    log.say(answered("Done."));
    log.say(said("Now the other one."));
    rounds(log, "b");
    log.say(answered("Done as well."));
    log.say(said("And the third."));
    rounds(log, "c", "d");
    const [, request] = log.view().ledgers.intents;
    expect(request?.state).toBe("done");
    expect(spansIn(log)[0]).toBe("e2-e7 3");
  });

  it("never holds what nobody said", () => {
    const log = worked("a");
    log.say({ type: "attachment", subtype: "rules", content: "Use tabs." });
    rounds(log, "b", "c", "d");
    expect(spansIn(log)).toEqual(["e2-e3 1", "e5-e8 2"]);
  });

  it("leaves the round that has the open to-dos, and no other", () => {
    const todo = (log: TestLog, id: string, status: string) => {
      const input = { todos: [{ content: "Write it", status }] };
      log.say(answered([{ type: "tool_use", id, name: "TodoWrite", input }]));
      log.say({ type: "user", content: [{ type: "tool_result", tool_use_id: id, content: "ok" }] });
    };
    const log = worked("a");
    todo(log, "t1", "pending");
    rounds(log, "b", "c");
    todo(log, "t2", "in_progress");
    rounds(log, "d", "e", "f");
    expect(spansIn(log)).toEqual(["e2-e7 3", "e8-e9 1", "e12-e15 2"]);
    todo(log, "t3", "completed");
    rounds(log, "g");
    expect(spansIn(log, { keepRounds: 2 })).toEqual(["e2-e7 3", "e8-e13 3", "e14-e17 2"]);
  });

  it("leaves the calls that created a to-do that is open", () => {
    const log = worked("a");
    log.say(answered([{ type: "tool_use", id: "t1", name: "TaskCreate", input: { subject: "Write it" } }]));
    log.say({
      type: "user",
      content: [{ type: "tool_result", tool_use_id: "t1", content: "Task #3 created" }],
    });
    rounds(log, "b", "c", "d");
    expect(spansIn(log)).toEqual(["e2-e3 1", "e6-e9 2"]);
  });

  it("begins behind the last boundary, and never holds what was folded", () => {
    const log = worked("a", "b", "c", "d", "e", "f");
    expect(spansIn(log, { boundarySeq: 5 })).toEqual(["e6-e9 2"]);
    const head = { layer: "l", reason: "", frees: 0, basis: 13 };
    log.add({ kind: "decision", decision: { ...head, type: "fold", from: "e2", to: "e5", summary: "s" } });
    expect(spansIn(log)).toEqual(["e6-e9 2"]);
  });

  it("spares what was undone", () => {
    const log = worked("a", "b", "c", "d", "e", "f");
    expect(spansIn(log, { spared: [{ from: "e2", to: "e5" }] })).toEqual(["e6-e9 2"]);
    expect(spansIn(log, { spared: [{ from: "gone", to: "e5" }] })).toHaveLength(2);
  });

  it("does not end with a call that only a repair has answered", () => {
    const log = worked("a");
    log.say(answered([{ type: "tool_use", id: "open", name: "Read", input: {} }]));
    const steps = [{ repair: "synthetic-result", toolUseId: "open", text: "none" }] as const;
    const head = { layer: "l", reason: "", frees: 0, basis: 4 };
    log.add({ kind: "decision", decision: { ...head, type: "repair", steps } });
    rounds(log, "b", "c", "d");
    expect(spansIn(log)).toEqual(["e2-e3 1", "e6-e9 2"]);
  });
});
