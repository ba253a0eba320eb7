import { describe, expect, it } from "vitest";
import type { Decision, Entry, EntryBody, Note } from "../../spec/index.ts";
import { type NotesState, nextNotes } from "./next-notes.ts";

let seq = 0;

function entry(body: EntryBody): Entry {
  seq += 1;
  return { v: 1, seq, epoch: 1, id: `e${seq}`, at: "2026-01-01T00:00:00.000Z", ...body };
}

const note = (value: unknown) => entry({ kind: "note", note: value as Note });
const notes = (tokensAt: number) =>
  note({ topic: "notes", text: "t", covers: "m", coversSeq: 3, tokensAt, by: "model" });
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

  it("passes over what is no notes", () => {
    const broken = [{ topic: "notes" }, { topic: "notes", text: 1, covers: "m", coversSeq: 1, tokensAt: 1 }];
    expect(stateOf(...broken.map(note))).toEqual({});
  });
});
