import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createHistory, operation } from "../../../test/support/histories.ts";
import type { RepairDecision, RepairStep } from "../../spec/index.ts";
import { project } from "../projection/project.ts";
import { renderMessages } from "./render.ts";
import { repairSteps } from "./repair.ts";
import { validate } from "./validate.ts";

const limits = { maxImageBytes: 1000, maxImages: 100, maxBreakpoints: 4 };
const decisionOf = (steps: readonly RepairStep[], basis: number): RepairDecision => ({
  type: "repair",
  layer: "engine",
  reason: "a valid request needs it",
  frees: 0,
  basis,
  steps,
});

/** Repairs a log as the engine does before a request; gives the problems that are left. */
function problemsAfterRepair(history: ReturnType<typeof createHistory>): unknown {
  const { items } = project(history.entries);
  const steps = repairSteps(items, 0, limits);
  if (steps.length > 0)
    history.append({ kind: "decision", decision: decisionOf(steps, history.entries.length) });
  const after = project(history.entries);
  return {
    violations: validate({ messages: renderMessages(after.items) }, limits),
    again: repairSteps(after.items, 0, limits),
  };
}

const nothing = { violations: [], again: [] };

describe("repair", () => {
  it("makes any history a valid request, at every request, and then finds nothing left to do", () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(operation, fc.nat({ max: 5 })), { minLength: 1, maxLength: 50, size: "max" }),
        (operations) => {
          const history = createHistory();
          for (const [one, chance] of operations) {
            history.write(one);
            if (chance === 0) expect(problemsAfterRepair(history)).toEqual(nothing);
          }
          expect(problemsAfterRepair(history)).toEqual(nothing);
        },
      ),
      { numRuns: 500 },
    );
  });

  it("makes any part of a history a valid request", () => {
    fc.assert(
      fc.property(
        fc.array(operation, { minLength: 1, maxLength: 40, size: "max" }),
        fc.array(fc.boolean()),
        (operations, kept) => {
          const whole = createHistory();
          for (const one of operations) whole.write(one);
          const part = createHistory();
          for (const [index, entry] of whole.entries.entries()) {
            if (kept[index % Math.max(1, kept.length)] ?? true) part.take(entry);
          }
          expect(problemsAfterRepair(part)).toEqual(nothing);
        },
      ),
      { numRuns: 500 },
    );
  });
});
