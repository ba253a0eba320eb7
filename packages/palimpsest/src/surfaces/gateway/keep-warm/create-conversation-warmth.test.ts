import type { SessionHandle } from "@palimpsest/core";
import type { KeptRequest } from "@palimpsest/core/internal";
import { fail, ok } from "@palimpsest/core/spec";
import { describe, expect, it } from "vitest";
import { createVirtualClock } from "../../../../../testing/src/index.ts";
import { createConversationWarmth } from "./create-conversation-warmth.ts";

const usage = { input: 0, output: 1, cacheRead: 100, cacheCreation: 0 };
const report = { isHit: true, usage, dollars: 0.01, spentDollars: 0.01 };

/** A warmth whose session reads every minute, so many times. */
function stage({ reads = 1, dayLimit = null }: { reads?: number; dayLimit?: object | null } = {}) {
  const clock = createVirtualClock();
  const heard: string[] = [];
  let left = reads;
  let onRead: (signal: AbortSignal) => Promise<unknown> = async () => undefined;
  const warmth = createConversationWarmth({ dayLimit: dayLimit as never, track: (read) => read });
  const handle = {
    clock,
    emit: ({ type }: { readonly type: string }) => void heard.push(type),
    nextRead: () =>
      left > 0
        ? { due: true, atMs: clock.now() + 60_000, mostDollars: 0.2 }
        : { due: false, reason: "it no longer pays" },
    async keepWarm(signal: AbortSignal) {
      left -= 1;
      heard.push("read");
      await onRead(signal);
      return signal.aborted ? fail("aborted", "The read was given up.") : ok(report);
    },
  };
  warmth.port.open(handle as unknown as SessionHandle);
  const request = { usage, askedAtMs: clock.now() } as KeptRequest;
  return {
    clock,
    heard,
    warmth,
    request,
    reading(work: typeof onRead) {
      onRead = work;
    },
  };
}

describe("a conversation's warmth", () => {
  it("holds a request until reads no longer pay, and says so", async () => {
    const { warmth, request, clock, heard } = stage({ reads: 2 });
    expect([warmth.isHolding, warmth.port.kept().ok]).toEqual([false, false]);
    warmth.begin(request);
    expect(warmth.port.kept()).toEqual(ok(request));
    await clock.advance(120_000);
    expect([warmth.isHolding, warmth.port.kept().ok]).toEqual([false, false]);
    expect(heard).toEqual(["read", "read", "warming-end"]);
  });

  it("lets it go at once when the client is back, and waits for nothing any more", async () => {
    const { warmth, request, clock, heard } = stage();
    warmth.begin(request);
    warmth.end();
    expect([warmth.isHolding, warmth.port.kept().ok]).toEqual([false, false]);
    await clock.advance(120_000);
    expect([heard, clock.sleeping]).toEqual([[], 0]);
  });

  it("holds the newer of two requests, whose pause is its own", async () => {
    const { warmth, request, clock, heard } = stage({ reads: 2 });
    warmth.begin(request);
    await clock.advance(59_000);
    const newer = { ...request, askedAtMs: clock.now() };
    warmth.begin(newer);
    expect(warmth.port.kept()).toEqual(ok(newer));
    await clock.advance(59_000);
    expect(heard).toEqual([]);
    await clock.advance(1_000);
    expect(heard).toEqual(["read"]);
  });

  it("gives up a read that is under way when it is closed, and holds nothing meanwhile", async () => {
    const { warmth, request, clock, heard, reading } = stage();
    reading((signal) => new Promise((resolve) => signal.addEventListener("abort", resolve)));
    warmth.begin(request);
    await clock.advance(60_000);
    expect(heard).toEqual(["read"]);
    const closing = warmth.close();
    expect(warmth.isHolding).toBe(false);
    await closing;
    expect(clock.sleeping).toBe(0);
  });

  it("holds nothing for a session that is not open", () => {
    const warmth = createConversationWarmth({ dayLimit: null, track: (read) => read });
    warmth.begin({ usage, askedAtMs: 0 } as KeptRequest);
    expect(warmth.isHolding).toBe(false);
  });

  it("takes from the day's budget what a miss would cost, and gives back what it did not", async () => {
    const ledger: unknown[] = [];
    const dayLimit = {
      dollarsPerDay: 5,
      clock: createVirtualClock(),
      ledger: {
        reserve: async (asked: unknown) => ok(ledger.push(asked)),
        settle: async (...given: unknown[]) => ok(ledger.push(given)),
      },
    };
    const { warmth, request, clock } = stage({ dayLimit });
    warmth.begin(request);
    await clock.advance(60_000);
    expect(ledger).toEqual([{ scope: "all", day: "2026-01-01", dollars: 0.2, limit: 5 }, [1, 0.01]]);
  });
});
