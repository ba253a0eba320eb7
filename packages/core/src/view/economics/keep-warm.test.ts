import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createCatalog } from "../../catalog/index.ts";
import { decideKeepWarm, type KeepWarmInput, missDollars, plannedReads, readDollars } from "./keep-warm.ts";
import { assumedPauses } from "./pauses.ts";

const minute = 60_000;
const prices = createCatalog().prices("claude-opus-4-5").value;
const question = (more: Partial<KeepWarmInput> = {}): KeepWarmInput => ({
  ttl: "5m",
  pauses: assumedPauses.interactive,
  prices,
  promptTokens: 100_000,
  answerTokens: 1,
  intervalMs: 4.5 * minute,
  mostReads: 12,
  pausedMs: 4.5 * minute,
  readsDone: 0,
  dollarsLeft: 10,
  ...more,
});
const whyNot = (more: Partial<KeepWarmInput>) => {
  const decision = decideKeepWarm(question(more));
  return decision.due ? null : decision.why;
};

describe("keeping the cache warm", () => {
  it("pays while a person is likely to come back soon", () => {
    const decision = decideKeepWarm(question());
    expect(decision).toMatchObject({ due: true, readDollars: 0.050025 });
    expect(decision.due && decision.expectedSaving).toBeGreaterThan(0.1);
  });

  it("ends by itself where the expected saving does", () => {
    expect(plannedReads(question())).toBeGreaterThan(1);
    expect(plannedReads(question({ mostReads: 200 }))).toBeLessThan(20);
    expect(whyNot({ pausedMs: 300 * minute, readsDone: 11 })).toBe("no-saving");
    expect(whyNot({ pauses: { counts: [0, 0, 0, 0, 0, 0, 0], ends: 5 } })).toBe("no-saving");
    expect(whyNot({ answerTokens: 30_000 })).toBe("no-saving");
  });

  it("ends with the reads that one pause may have, and with its budget", () => {
    expect(whyNot({ readsDone: 12 })).toBe("most-reads");
    expect(whyNot({ dollarsLeft: missDollars(question()) - 0.001 })).toBe("budget");
    expect(whyNot({ dollarsLeft: missDollars(question()) })).toBe(null);
  });

  it("bears that a miss writes parts of the prompt for the dearer lifetime that they are marked for", () => {
    const mixed = question({ dearestTtl: "1h" });
    expect(missDollars(mixed)).toBe(missDollars(question({ ttl: "1h" })));
    expect(whyNot({ dearestTtl: "1h", dollarsLeft: missDollars(question()) })).toBe("budget");
    expect(readDollars(mixed)).toBe(readDollars(question()));
  });

  it("reads longer where reading is cheaper", () => {
    const reads = [0.5, 0.25, 0.125].map((cacheRead) =>
      plannedReads(question({ prices: { ...prices, cacheRead } })),
    );
    expect(reads).toEqual([...reads].sort((one, other) => one - other));
    expect(reads[2]).toBeGreaterThan(reads[0] ?? 0);
  });

  it("never spends more than its budget, whether reads hit or miss", () => {
    const amount = fc.double({ min: 0, max: 50, noNaN: true });
    fc.assert(
      fc.property(
        fc.record({
          counts: fc.array(amount, { minLength: 7, maxLength: 7 }),
          ends: amount,
          budget: fc.double({ min: 0, max: 3, noNaN: true }),
          promptTokens: fc.integer({ min: 1, max: 900_000 }),
          answerTokens: fc.integer({ min: 1, max: 2_000 }),
          ttl: fc.constantFrom("5m" as const, "1h" as const),
          hits: fc.array(fc.boolean(), { minLength: 60, maxLength: 60 }),
        }),
        ({ counts, ends, budget, hits, ...rest }) => {
          let spent = 0;
          for (const [at, isHit] of hits.entries()) {
            const asked = question({
              ...rest,
              pauses: { counts, ends },
              intervalMs: rest.ttl === "1h" ? 54 * minute : 4.5 * minute,
              mostReads: 100,
              pausedMs: (at + 1) * 4.5 * minute,
              readsDone: at,
              dollarsLeft: budget - spent,
            });
            if (!decideKeepWarm(asked).due) continue;
            spent += isHit ? readDollars(asked) : missDollars(asked);
          }
          expect(spent).toBeLessThanOrEqual(budget + 1e-9);
        },
      ),
    );
  });
});
