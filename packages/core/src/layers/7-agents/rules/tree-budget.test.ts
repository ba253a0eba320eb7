import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { agentNumbers } from "../settings.ts";
import { decideAgentStart, decideTreeStop, type TreeUse } from "./tree-budget.ts";

const nothing: TreeUse = { begun: 0, running: 0, tokens: 0, dollars: 0, activeMs: 0, dayDollars: 0 };

describe("the budget of a tree", () => {
  it("lets agents begin and go on where nothing is used up", () => {
    expect(decideTreeStop(nothing, agentNumbers)).toBe(null);
    expect(decideAgentStart(nothing, 1, agentNumbers)).toBe(null);
  });

  it.each([
    [{ tokens: agentNumbers.maxTokens }, "agents.maxTokens"],
    [{ dollars: agentNumbers.maxDollars }, "agents.maxDollars"],
    [{ activeMs: agentNumbers.maxMs }, "agents.maxMs"],
    [{ dayDollars: agentNumbers.maxDayDollars }, "agents.maxDayDollars"],
  ])("stops all at %j, and names the setting", (used, name) => {
    expect(decideTreeStop({ ...nothing, ...used }, agentNumbers)).toContain(name);
    expect(decideAgentStart({ ...nothing, ...used }, 1, agentNumbers)).toContain(name);
  });

  it.each([
    [{ begun: agentNumbers.maxAgents }, 1, "agents.maxAgents"],
    [{ running: agentNumbers.maxRunning }, 1, "agents.maxRunning"],
    [{}, agentNumbers.maxDepth + 1, "agents.maxDepth"],
  ])("refuses one more at %j and depth %i, and lets the others go on", (used, depth, name) => {
    expect(decideTreeStop({ ...nothing, ...used }, agentNumbers)).toBe(null);
    expect(decideAgentStart({ ...nothing, ...used }, depth, agentNumbers)).toContain(name);
  });

  it("never lets go on what it has stopped, as more is used", () => {
    const amount = fc.nat(2_000);
    const use = fc.record({
      begun: amount,
      running: amount,
      tokens: amount,
      dollars: amount,
      activeMs: amount,
      dayDollars: amount,
    });
    const budget = {
      ...agentNumbers,
      maxTokens: 1_000,
      maxDollars: 1_000,
      maxMs: 1_000,
      maxDayDollars: 1_000,
    };
    fc.assert(
      fc.property(use, use, (one, more) => {
        const later = Object.fromEntries(
          Object.entries(one).map(([key, value]) => [key, value + more[key as keyof TreeUse]]),
        ) as unknown as TreeUse;
        if (decideTreeStop(one, budget) !== null) expect(decideTreeStop(later, budget)).not.toBe(null);
        if (decideAgentStart(one, 1, budget) !== null)
          expect(decideAgentStart(later, 1, budget)).not.toBe(null);
      }),
    );
  });
});
