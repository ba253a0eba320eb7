import { describe, expect, it } from "vitest";
import type { Decision, Entry, EntryBody, Note } from "../../../spec/index.ts";
import { type NotesState, nextNotes } from "./next-notes.ts";

let seq = 0;

function entry(body: EntryBody): Entry {
  seq += 1;
  return { v: 1, seq, epoch: 1, id: `e${seq}`, at: "2026-01-01T00:00:00.000Z", ...body };
}

const note = (value: unknown) => entry({ kind: "note", note: value as Note });
const notes = (tokensAt: number, basis?: number) =>
  note({ topic: "notes", text: "t", covers: "m", coversSeq: 3, tokensAt, basis, by: "model" });
const fork = (forkKind = "notes") => note({ topic: "fork", fork: "f", forkKind });
const decision = (value: Partial<Decision>) => entry({ kind: "decision", decision: value as Decision });
const stateOf = (...entries: readonly Entry[]): NotesState => entries.reduce(nextNotes, {});

describe("nextNotes", () => {
  it("has the newest notes", () => {
    const newest = notes(20);
    expect(stateOf(notes(10), newest)).toEqual({
      notes: { entry: newest.id, seq: newest.seq, text: "t", covers: "m", coversSeq: 3, tokensAt: 20 },
    });
  });

  it("counts updates that brought nothing, until one does", () => {
    const last = fork();
    expect(stateOf(fork(), fork("memory"), last)).toEqual({ failedUpdates: { count: 2, seq: last.seq } });
    expect(stateOf(fork(), notes(1)).failedUpdates).toBeUndefined();
    expect(stateOf(notes(1), last).failedUpdates).toEqual({ count: 1, seq: last.seq });
  });

  it("covers nothing behind a compaction, and counts growth from what that has left", () => {
    const compacted = stateOf(notes(90), decision({ type: "compact", tokensAfter: 30 })).notes;
    expect(compacted).toMatchObject({ text: "t", tokensAt: 30 });
    expect(compacted).not.toHaveProperty("covers");
  });

  it("counts growth without what decisions freed", () => {
    expect(stateOf(notes(90), decision({ type: "clear", frees: 50 })).notes?.tokensAt).toBe(40);
    expect(stateOf(notes(90), decision({ type: "clear", frees: 95 })).notes?.tokensAt).toBe(0);
    expect(stateOf(notes(90), decision({ type: "repair", frees: -5 })).notes?.tokensAt).toBe(90);
  });

  describe("while an update is written", () => {
    /** An update that began with 90 tokens, and what was decided before it had ended. */
    const during = (...decisions: readonly Partial<Decision>[]) => {
      const began = decision({ type: "clear", frees: 7 });
      const meanwhile = decisions.map(decision);
      return stateOf(notes(10), began, ...meanwhile, notes(90, began.seq));
    };

    it("subtracts what is cleared meanwhile, and not what was cleared before", () => {
      expect(during().notes?.tokensAt).toBe(90);
      expect(during({ type: "clear", frees: 30 }, { type: "snip", frees: 20 }).notes?.tokensAt).toBe(40);
      expect(during({ type: "clear", frees: 95 }).notes?.tokensAt).toBe(0);
    });

    it("counts growth from what a compaction has left meanwhile", () => {
      const compact = { type: "compact", tokensAfter: 30 } as const;
      const clear = { type: "clear", frees: 20 } as const;
      expect(during(clear, compact).notes?.tokensAt).toBe(30);
      expect(during(compact, clear).notes?.tokensAt).toBe(10);
    });

    it("takes the count of a note that does not say when it was as it is", () => {
      expect(stateOf(decision({ type: "clear", frees: 30 }), notes(90)).notes?.tokensAt).toBe(90);
    });
  });

  it("subtracts what the API has cleared by itself, once for every token", () => {
    const applied = (tokens: number) =>
      decision({ type: "cache-edit", frees: 0, edit: { cleared_input_tokens: tokens } });
    expect(stateOf(notes(90), applied(30), applied(30), applied(50)).notes?.tokensAt).toBe(40);
    const compacted = decision({ type: "compact", tokensAfter: 60 });
    expect(stateOf(notes(90), applied(30), compacted, applied(20)).notes?.tokensAt).toBe(40);
    const asked = { cleared_input_tokens: 30 };
    const behind = { entry: "m", block: 0 };
    const edit = decision({ type: "cache-edit", frees: 20, edit: asked, behind });
    expect(stateOf(notes(90), edit).notes?.tokensAt).toBe(70);
  });

  it("passes over what is no notes", () => {
    const broken = [{ topic: "notes" }, { topic: "notes", text: 1, covers: "m", coversSeq: 1, tokensAt: 1 }];
    expect(stateOf(...broken.map(note))).toEqual({});
  });
});
