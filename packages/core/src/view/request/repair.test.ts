import fc from "fast-check";
import { describe, it } from "vitest";
import { amount } from "../../../../../test/support/amount.ts";
import { checkRepair, checkRepairOfPart } from "../../../../../test/support/check-repair.ts";
import { operation } from "../../../../../test/support/histories.ts";

describe("repair", () => {
  it("makes any history a valid request, at every request, and then finds nothing left to do", () => {
    const operations = fc.array(fc.tuple(operation, fc.nat({ max: 5 })), {
      minLength: 1,
      maxLength: 50,
      size: "max",
    });
    fc.assert(fc.property(operations, checkRepair), { numRuns: amount({ quick: 200, slow: 500 }) });
  });

  it("makes any part of a history a valid request", () => {
    const operations = fc.array(operation, { minLength: 1, maxLength: 40, size: "max" });
    fc.assert(fc.property(operations, fc.array(fc.boolean()), checkRepairOfPart), {
      numRuns: amount({ quick: 200, slow: 500 }),
    });
  });
});
