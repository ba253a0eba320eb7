import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createCatalog } from "../../catalog/index.ts";
import { chooseLifetime, type LifetimeInput } from "./choose-lifetime.ts";
import { assumedPauses, noPauses, type Pauses } from "./pauses.ts";

const { capabilities, prices } = createCatalog();
const model = "claude-opus-4-5";
const question = (more: Partial<LifetimeInput> = {}): LifetimeInput => ({
  use: "interactive",
  pauses: assumedPauses.interactive,
  prices: prices(model).value,
  promptTokens: 50_000,
  answerTokens: 1,
  capabilities: capabilities(model).value,
  ...more,
});
const ttlOf = (more: Partial<LifetimeInput>) => chooseLifetime(question(more)).ttl;
const pausesOf = (withinHour: number, ends: number): Pauses => ({
  counts: [withinHour, 0, 0, 0, 0, 0, 0],
  ends,
});

describe("the lifetime of the cache", () => {
  it("is an hour from the first request on where a person answers, and five minutes where nobody does", () => {
    expect(chooseLifetime(question())).toEqual({
      ttl: "1h",
      reason:
        "interactive use, 2.0 pauses of 5 to 60 minutes for each longer one or end: writing and keeping is expected to cost 44 % less",
    });
    expect(ttlOf({ use: "unattended", pauses: assumedPauses.unattended })).toBe("5m");
  });

  it("pays by the hour where pauses cost more than writing for longer does", () => {
    const rates = { ...prices(model).value, cacheWrite5m: 1.25, cacheWrite1h: 2, cacheRead: 0.1 };
    // Each token is written for 0.75 more, and for 1.15 again after each pause.
    expect(ttlOf({ prices: rates, pauses: pausesOf(65, 100) })).toBe("5m");
    expect(ttlOf({ prices: rates, pauses: pausesOf(66, 100) })).toBe("1h");
  });

  it("stays while the cache is warm, whatever would be cheaper", () => {
    fc.assert(
      fc.property(
        fc.constantFrom("5m" as const, "1h" as const),
        fc.nat(100),
        fc.nat(100),
        (warm, one, two) => {
          expect(ttlOf({ warm, pauses: pausesOf(one, two) })).toBe(warm);
        },
      ),
    );
  });

  it("is never an hour where the provider takes none, its price is not known, or nothing would be cached", () => {
    expect(ttlOf({ capabilities: { cacheMarkers: false, minCachedPrefix: 0 } })).toBe("5m");
    expect(ttlOf({ prices: { ...prices(model).value, cacheWrite1h: 0 } })).toBe("5m");
    expect(ttlOf({ promptTokens: 10 })).toBe("5m");
    expect(ttlOf({ pauses: noPauses })).toBe("5m");
  });

  it("is five minutes again where reads keep those alive for less", () => {
    const cheap = { ...prices(model).value, cacheRead: 0.05 };
    const keepWarm = (ttl: "5m" | "1h") => ({
      intervalMs: ttl === "1h" ? 3_240_000 : 270_000,
      mostReads: 12,
    });
    expect(ttlOf({ prices: cheap })).toBe("1h");
    expect(ttlOf({ prices: cheap, keepWarm })).toBe("5m");
  });
});
