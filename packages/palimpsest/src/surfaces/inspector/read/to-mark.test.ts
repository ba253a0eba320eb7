import { describe, expect, it } from "vitest";
import type { Entry, Note, Usage } from "../../../../../core/src/spec/index.ts";
import { toMark } from "./to-mark.ts";

const usage: Usage = { input: 1, output: 1, cacheRead: 50_000, cacheCreation: 0 };
const entryOf = (note: Note): Entry => ({
  v: 1,
  seq: 7,
  epoch: 1,
  id: "note_1",
  at: "2026-01-01T00:00:00.000Z",
  kind: "note",
  note,
});
const read = (more: Partial<Usage>) =>
  toMark(
    entryOf({
      topic: "fork",
      fork: "msg_1",
      forkKind: "keep-warm",
      usage: { ...usage, ...more },
      dollars: 0.025,
    }),
  );

describe("marks of the chart", () => {
  it("name reads that keep the cache warm, what they cost, and whether they missed", () => {
    expect(read({})).toEqual({
      seq: 7,
      kind: "keep-warm",
      text: "A read that keeps the cache warm, $0.0250",
      freed: 0,
    });
    expect(read({ cacheRead: 0, cacheCreation: 50_000 })?.text).toBe(
      "A read that keeps the cache warm, which missed, $0.0250",
    );
  });

  it("do not stand for other forks", () => {
    expect(toMark(entryOf({ topic: "fork", fork: "ses/fork_1", forkKind: "notes", usage }))).toBeNull();
  });
});
