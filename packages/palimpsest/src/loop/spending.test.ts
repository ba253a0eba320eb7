import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decideStop, nothingSpent, withResponse } from "./spending.ts";

const usage = { input: 10, output: 20, cacheRead: 30, cacheCreation: 40 };
const spent = withResponse(nothingSpent, usage, 0.5);

describe("spending", () => {
  it("adds up what responses took", () => {
    expect(withResponse(spent, usage, 0.25)).toEqual({
      requests: 2,
      usage: { input: 20, output: 40, cacheRead: 60, cacheCreation: 80 },
      dollars: 0.75,
    });
  });

  it("is nothing at first", () => {
    const { requests, dollars, usage: used } = nothingSpent;
    expect([requests, dollars, ...Object.values(used)]).toEqual([0, 0, 0, 0, 0, 0]);
  });
});

describe("decideStop", () => {
  it.each([
    ["no limits", {}, null],
    [
      "limits that are not reached",
      { maxTurns: 2, budget: { tokens: 101, dollars: 0.51, timeMs: 1_001 } },
      null,
    ],
    [
      "as many requests as there may be",
      { maxTurns: 1 },
      { reason: "max-turns", message: "1 requests were made, and no more are allowed." },
    ],
    [
      "all tokens, cached ones counted",
      { budget: { tokens: 100 } },
      { reason: "token-budget", message: "100 of 100 tokens are used up." },
    ],
    [
      "all money",
      { budget: { dollars: 0.5 } },
      { reason: "dollar-budget", message: "$0.5000 of $0.5 are spent." },
    ],
    [
      "all time",
      { budget: { timeMs: 1_000 } },
      { reason: "time-budget", message: "1000 of 1000 ms have passed." },
    ],
    [
      "several at once: the first of them",
      { maxTurns: 1, budget: { tokens: 1, dollars: 0, timeMs: 1 } },
      { reason: "max-turns", message: "1 requests were made, and no more are allowed." },
    ],
  ])("stops at %s", (_what, limits, stop) => {
    expect(decideStop(spent, 1_000, limits)).toEqual(stop);
  });

  it("allows nothing where nothing is allowed", () => {
    expect(decideStop(nothingSpent, 0, { maxTurns: 0 })?.reason).toBe("max-turns");
    expect(decideStop(nothingSpent, 0, { budget: { tokens: 0 } })?.reason).toBe("token-budget");
  });

  it("once it stops, stops for whoever has spent more", () => {
    const amount = fc.nat({ max: 50 });
    fc.assert(
      fc.property(
        amount,
        amount,
        amount,
        fc.record({ maxTurns: amount, tokens: amount }),
        (turns, output, more, limits) => {
          const spending = { ...nothingSpent, requests: turns, usage: { ...nothingSpent.usage, output } };
          const { maxTurns, tokens } = limits;
          const isOver = (one: typeof spending) =>
            decideStop(one, 0, { maxTurns, budget: { tokens } }) !== null;
          const later = withResponse(spending, { ...nothingSpent.usage, output: more }, 0);
          if (isOver(spending)) expect(isOver(later)).toBe(true);
          expect(isOver(spending)).toBe(turns >= maxTurns || output >= tokens);
        },
      ),
    );
  });
});
