import assert from "node:assert/strict";
import type { SpendingLedger } from "@palimpsest/core/spec";
import { type ConformanceCase, must, refused } from "./outcomes.ts";

export interface SpendingPair {
  readonly first: SpendingLedger;
  readonly second: SpendingLedger;
}

const day = "2026-01-31";
const claim = (dollars: number, limit = 10) => ({ scope: "all", day, dollars, limit });

/**
 * The contract of every spending ledger. `create` gives two ledgers over one new storage, as two processes have them;
 * `createForgetful` gives two in which what is reserved is held for no time at all.
 */
export function spendingLedgerConformance(
  create: () => Promise<SpendingPair>,
  createForgetful: () => Promise<SpendingPair>,
): readonly ConformanceCase[] {
  return [
    {
      name: "has nothing on a day on which nothing was spent",
      async run() {
        const { first } = await create();
        assert.deepEqual(must(await first.spent("all", day)), { dollars: 0, reserved: 0 });
      },
    },
    {
      name: "holds what is reserved until it is settled, for others too",
      async run() {
        const { first, second } = await create();
        const token = must(await first.reserve(claim(6)));
        assert.deepEqual(must(await second.spent("all", day)), { dollars: 0, reserved: 6 });
        const late = await second.reserve(claim(5));
        assert.equal(refused(late), "over-budget");
        if (!late.ok)
          assert.deepEqual(late.error.facts, {
            scope: "all",
            day,
            wanted: 5,
            limit: 10,
            dollars: 0,
            reserved: 6,
          });
        must(await first.settle(token, 0.123_456_789));
        assert.deepEqual(must(await second.spent("all", day)), { dollars: 0.123_456_789, reserved: 0 });
        must(await second.reserve(claim(9)));
      },
    },
    {
      name: "lets the limit be reached to the last billionth, and no further",
      async run() {
        const { first, second } = await create();
        must(await first.reserve(claim(0.1, 0.3)));
        must(await second.reserve(claim(0.2, 0.3)));
        assert.equal(refused(await first.reserve(claim(0.000_000_001, 0.3))), "over-budget");
        must(await first.reserve(claim(0, 0.3)));
      },
    },
    {
      name: "keeps days and scopes apart",
      async run() {
        const { first } = await create();
        must(await first.reserve(claim(10)));
        must(await first.reserve({ ...claim(10), day: "2026-02-01" }));
        must(await first.reserve({ ...claim(10), scope: "\u0000 'other' \u{1f4b6}" }));
        assert.equal(refused(await first.reserve(claim(1))), "over-budget");
      },
    },
    {
      name: "counts what is settled twice once, and what is over the limit in full",
      async run() {
        const { first, second } = await create();
        const token = must(await first.reserve(claim(1)));
        must(await first.settle(token, 12));
        must(await second.settle(token, 12));
        assert.deepEqual(must(await first.spent("all", day)), { dollars: 12, reserved: 0 });
        assert.equal(refused(await second.reserve(claim(0))), "over-budget");
      },
    },
    {
      name: "frees what the dead have held, and counts what they say after all",
      async run() {
        const { first, second } = await createForgetful();
        const dead = must(await first.reserve(claim(10)));
        const other = must(await second.reserve(claim(10)));
        must(await second.settle(other, 2));
        must(await first.settle(dead, 3));
        assert.deepEqual(must(await second.spent("all", day)), { dollars: 5, reserved: 0 });
      },
    },
    {
      name: "never gives more than the limit to many at once",
      async run() {
        const { first, second } = await create();
        const wanted = Array.from({ length: 40 }, (_, index) =>
          [first, second][index % 2]?.reserve(claim(1)),
        );
        const given = (await Promise.all(wanted)).filter((one) => one?.ok);
        assert.equal(given.length, 10);
        assert.deepEqual(must(await first.spent("all", day)), { dollars: 0, reserved: 10 });
      },
    },
    {
      name: "refuses what is no amount and no day",
      async run() {
        const { first } = await create();
        for (const dollars of [-1, Number.NaN, Number.POSITIVE_INFINITY])
          assert.equal(refused(await first.reserve(claim(dollars))), "invalid-input");
        assert.equal(refused(await first.reserve({ ...claim(1), day: "../2026" })), "invalid-input");
        assert.equal(refused(await first.spent("all", "today")), "invalid-input");
      },
    },
  ];
}
