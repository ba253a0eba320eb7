import { describe, expect, it } from "vitest";
import { sampleSession } from "./session-samples.ts";
import { sessionDollars, toWhatIfRows } from "./what-if-table.ts";

const whatIf = {
  policy: "engine",
  tokens: [10, 25, 5],
  dollars: [0.1, 0.2, 0.5],
  breaks: [2],
  survival: { inView: 0.9, recall: 0.1, refetch: 0, lost: 0 },
  fetches: 4,
};

describe("toWhatIfRows", () => {
  it("puts the session first and each policy below", () => {
    expect(toWhatIfRows(sampleSession(2), [whatIf])).toEqual([
      { name: "As recorded", cells: ["$1.00", "–", "20", "0", "–", "–", "–", "–", "–"] },
      { name: "engine", cells: ["$0.5000", "−50 %", "25", "1", "90 %", "10 %", "0 %", "0 %", "4"] },
    ]);
  });

  it("has dashes where no price is known", () => {
    const { requests, ...session } = sampleSession(2);
    const unpriced = { ...session, requests: { ...requests, dollars: [null, null] } };
    expect(sessionDollars(unpriced)).toBe(null);
    expect(toWhatIfRows(unpriced, [whatIf]).map(({ cells }) => cells.slice(0, 2))).toEqual([
      ["–", "–"],
      ["$0.5000", "–"],
    ]);
  });
});
