import assert from "node:assert/strict";
import type { ConsolidateLock } from "@palimpsest/core/spec";
import { type ConformanceCase, must, refused } from "./outcomes.ts";

/** The locks of two live processes of one machine over one new storage, with one clock. */
export interface ConsolidateLockWorld {
  readonly first: ConsolidateLock;
  readonly second: ConsolidateLock;
  /** The first process is gone. */
  endFirst(): void;
  now(): number;
  /** Lets time pass for both. */
  pass(ms: number): void;
}

const hourMs = 3_600_000;

/** The contract of every consolidate lock. */
export function consolidateLockConformance(
  create: () => Promise<ConsolidateLockWorld>,
): readonly ConformanceCase[] {
  return [
    {
      name: "says when memory was last put in order: never, then when a holder succeeded",
      async run() {
        const { first, second, now, pass } = await create();
        assert.equal(must(await first.lastConsolidatedMs()), null);
        const held = must(await first.acquire());
        assert.deepEqual([held.previousMs, must(await second.lastConsolidatedMs())], [null, null]);
        pass(hourMs);
        must(await held.complete());
        const doneMs = now();
        assert.equal(must(await second.lastConsolidatedMs()), doneMs);
        pass(hourMs);
        const again = must(await second.acquire());
        assert.equal(again.previousMs, doneMs);
        assert.equal(must(await first.lastConsolidatedMs()), doneMs);
        pass(hourMs);
        must(await again.abandon());
        assert.equal(must(await first.lastConsolidatedMs()), doneMs);
      },
    },
    {
      name: "has one holder, and says who it is and what to do",
      async run() {
        const { first, second, now } = await create();
        must(await first.acquire());
        const refusal = await second.acquire();
        assert.equal(refused(refusal), "held");
        assert.equal(refused(await first.acquire()), "held");
        if (refusal.ok) return;
        const { facts, fix, retryable } = refusal.error;
        const { token, sinceMs } = facts.holder as { token: unknown; sinceMs: unknown };
        assert.deepEqual(
          [facts.state, typeof token, sinceMs, typeof fix, retryable],
          ["alive", "string", now(), "string", true],
        );
      },
    },
    {
      name: "gives the lock to exactly one of many who want it at once",
      async run() {
        const { first, second } = await create();
        for (let round = 0; round < 3; round += 1) {
          const wanted = Array.from({ length: 6 }, (_, index) => (index % 2 ? first : second).acquire());
          const got = (await Promise.all(wanted)).flatMap((result) => (result.ok ? [result.value] : []));
          assert.equal(got.length, 1);
          must((await got[0]?.abandon()) ?? { ok: true, value: undefined });
        }
      },
    },
    {
      name: "ends once: what comes after changes nothing",
      async run() {
        const { first, now, pass } = await create();
        const held = must(await first.acquire());
        must(await held.complete());
        const doneMs = now();
        pass(hourMs);
        must(await held.complete());
        must(await held.abandon());
        assert.equal(must(await first.lastConsolidatedMs()), doneMs);
      },
    },
    {
      name: "is taken from the dead at once, with the time as it was, and the dead cannot end it",
      async run() {
        const { first, second, endFirst, now, pass } = await create();
        must(await must(await first.acquire()).complete());
        const doneMs = now();
        pass(hourMs);
        const dead = must(await first.acquire());
        endFirst();
        const held = must(await second.acquire());
        assert.equal(held.previousMs, doneMs);
        assert.equal(refused(await dead.complete()), "fenced");
        assert.equal(refused(await dead.abandon()), "fenced");
        assert.equal(must(await second.lastConsolidatedMs()), doneMs);
        must(await held.complete());
        assert.equal(must(await second.lastConsolidatedMs()), now());
      },
    },
    {
      name: "is given back for a holder that died, and left to one that lives",
      async run() {
        const { first, second, endFirst } = await create();
        assert.equal(must(await second.restore()), "free");
        must(await first.acquire());
        assert.equal(must(await second.restore()), "held");
        endFirst();
        assert.equal(must(await second.restore()), "restored");
        assert.equal(must(await second.restore()), "free");
        assert.equal(must(await second.lastConsolidatedMs()), null);
        must(await second.acquire());
      },
    },
  ];
}
