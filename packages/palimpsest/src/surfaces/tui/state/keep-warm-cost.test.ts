import { describe, expect, it } from "vitest";
import type { Event } from "../../../../../core/src/spec/index.ts";
import { initialState } from "./chat-state.ts";
import { reduceSessionEvent } from "./reduce-session-event.ts";

const read = (isHit: boolean): Event => ({
  type: "keep-warm",
  session: "one",
  at: "2026-01-01T00:00:00.000Z",
  isHit,
  usage: { input: 1, output: 1, cacheRead: 50_000, cacheCreation: 0 },
  dollars: 0.03,
  reads: 1,
});

describe("reads that keep the cache warm", () => {
  it("stand by name in what a session has cost, and are no requests", () => {
    const begun = initialState({ columns: 80, rows: 24 });
    const { cost, parts } = [read(true), read(true)].reduce(reduceSessionEvent, begun);
    expect(cost).toEqual({ ...begun.cost, dollars: 0.06, keepWarm: 0.06 });
    expect(parts).toEqual([]);
  });

  it("are told of where one missed", () => {
    const { parts } = reduceSessionEvent(initialState({ columns: 80, rows: 24 }), read(false));
    expect(parts).toMatchObject([
      {
        kind: "note",
        text: "A keep-warm read did not find the prompt in the cache ($0.0300): no more are made in this pause.",
      },
    ]);
  });
});
