import assert from "node:assert/strict";
import type { Lease, LeaseStore } from "@palimpsest/core/spec";
import { type ConformanceCase, must, refused } from "./outcomes.ts";

/**
 * The contract of every lease store. `create` gives stores of several live processes over one storage, the same one
 * within a call of `create`.
 */
export function leaseStoreConformance(
  create: () => Promise<{ readonly first: LeaseStore; readonly second: LeaseStore }>,
): readonly ConformanceCase[] {
  return [
    {
      name: "gives a free lease, and says who has it",
      async run() {
        const { first, second } = await create();
        assert.equal(must(await second.holder("a")), null);
        const lease = must(await first.acquire("a"));
        assert.equal(must(await second.holder("a"))?.token, lease.token);
        assert.equal(lease.lost, false);
        must(await lease.check());
      },
    },
    {
      name: "refuses a lease that a live process has, also to that process itself, and names the holder",
      async run() {
        const { first, second } = await create();
        const lease = must(await first.acquire("a"));
        for (const store of [first, second]) {
          const again = await store.acquire("a");
          assert.equal(refused(again), "held");
          assert.equal(!again.ok && (again.error.facts.holder as { token?: string }).token, lease.token);
        }
        must(await lease.check());
      },
    },
    {
      name: "does not let takeOver take it from a process that is proven alive",
      async run() {
        const { first, second } = await create();
        must(await first.acquire("a"));
        assert.equal(refused(await second.acquire("a", { takeOver: true })), "held");
      },
    },
    {
      name: "gives a released lease to the next one, with a higher epoch",
      async run() {
        const { first, second } = await create();
        const former = must(await first.acquire("a"));
        must(await former.release());
        assert.equal(must(await second.holder("a")), null);
        const next = must(await second.acquire("a"));
        assert.ok(next.epoch > former.epoch);
        assert.equal(next.takenOver, false);
      },
    },
    {
      name: "releases once, however often it is asked, and refuses checks afterwards",
      async run() {
        const { first, second } = await create();
        const lease = must(await first.acquire("a"));
        must(await lease.release());
        const next = must(await second.acquire("a"));
        must(await lease.release());
        assert.equal(refused(await lease.check()), "fenced");
        must(await next.check());
      },
    },
    {
      name: "gives an epoch above the one asked for, at acquiring and later",
      async run() {
        const { first } = await create();
        const lease = must(await first.acquire("a", { above: 41 }));
        assert.ok(lease.epoch > 41);
        must(await lease.raise(100));
        assert.ok(lease.epoch > 100);
        must(await lease.check());
        assert.equal(refused(await first.acquire("a")), "held");
      },
    },
    {
      name: "keeps leases of different names apart",
      async run() {
        const { first, second } = await create();
        must(await first.acquire("a"));
        must(await second.acquire("b"));
      },
    },
    {
      name: "gives a contended lease to exactly one",
      async run() {
        const { first, second } = await create();
        const results = await Promise.all(
          Array.from({ length: 20 }, (_, index) => (index % 2 ? first : second).acquire("a")),
        );
        const winners = results.filter((result): result is { ok: true; value: Lease } => result.ok);
        assert.equal(winners.length, 1);
        for (const result of results) if (!result.ok) assert.equal(result.error.code, "held");
        must(await (winners[0] as { value: Lease }).value.check());
      },
    },
    {
      name: "refuses a name that is no name",
      async run() {
        const { first } = await create();
        for (const name of ["", "../a", "a/../b", "a\0b", "/a"]) {
          assert.equal(refused(await first.acquire(name)), "invalid-input");
        }
      },
    },
  ];
}
