import { describe, expect, it } from "vitest";
import type { Decision, Entry, EntryBody, Note } from "../../../../spec/index.ts";
import { type FoldsState, nextFolds } from "./choose-folds.ts";

let seq = 0;

function entry(body: EntryBody): Entry {
  seq += 1;
  return { v: 1, seq, epoch: 1, id: `e${seq}`, at: "2026-01-01T00:00:00.000Z", ...body };
}

const note = (value: unknown) => entry({ kind: "note", note: value as Note });
const fold = (from: string, to: string) =>
  note({ topic: "fold", from, to, summary: "s", tokens: 9, by: "model" });
const fork = (forkKind = "collapse") => note({ topic: "fork", fork: "f", forkKind });
const decision = (value: Partial<Decision>) => entry({ kind: "decision", decision: value as Decision });
const stateOf = (...entries: readonly Entry[]): FoldsState =>
  entries.reduce((state: FoldsState, one) => nextFolds(state, one, false), {});

describe("nextFolds", () => {
  it("has the folds that were prepared", () => {
    const [one, two] = [fold("a", "b"), fold("c", "d")];
    const rest = { summary: "s", tokens: 9 };
    expect(stateOf(one, two)).toEqual({
      folds: [
        { entry: one.id, seq: one.seq, from: "a", to: "b", ...rest },
        { entry: two.id, seq: two.seq, from: "c", to: "d", ...rest },
      ],
    });
  });

  it("counts attempts that brought nothing, until one does", () => {
    const last = fork();
    expect(stateOf(fork(), fork("notes"), last)).toEqual({ failedFolds: { count: 2, seq: last.seq } });
    expect(stateOf(fork(), fold("a", "b")).failedFolds).toBeUndefined();
  });

  it("has no longer what was committed", () => {
    const committed = decision({ type: "fold", from: "a", to: "b" });
    expect(stateOf(fold("a", "b"), committed)).toEqual({});
    expect(stateOf(fold("a", "b"), fold("c", "d"), committed).folds).toHaveLength(1);
  });

  it("spares what was undone", () => {
    const state = stateOf(fold("a", "b"));
    const undone = nextFolds(state, decision({ type: "fold", from: "a", to: "b" }), true);
    expect(undone).toEqual({ sparedFolds: [{ from: "a", to: "b" }] });
    expect(nextFolds(undone, fold("c", "d"), false)).toMatchObject({
      folds: [{ from: "c" }],
      sparedFolds: [{ from: "a", to: "b" }],
    });
  });

  it("is empty behind a compaction, unless that was undone", () => {
    const state = stateOf(fold("a", "b"), fork());
    const compact = decision({ type: "compact" });
    expect(nextFolds(state, compact, false)).toEqual({});
    expect(nextFolds(state, compact, true)).toBe(state);
  });

  it.each([
    { topic: "fold" },
    { topic: "fold", from: "a", to: "b", summary: "", tokens: 9 },
    { topic: "fold", from: 1, to: "b", summary: "s", tokens: 9 },
    { topic: "fold", from: "a", to: null, summary: "s", tokens: 9 },
    { topic: "fold", from: "a", to: "b", summary: { blob: "x" }, tokens: 9 },
    { topic: "fold", from: "a", to: "b", summary: "s", tokens: Number.NaN },
  ])("passes over what is no fold: %j", (value) => {
    expect(stateOf(note(value))).toEqual({});
  });
});
