import fc from "fast-check";
import { describe, it } from "vitest";
import { amount } from "../../../../../test/support/amount.ts";
import { checkOpening, checkProjection } from "../../../../../test/support/check-projection.ts";
import { operation } from "../../../../../test/support/histories.ts";

describe("projection", () => {
  it("equals the projection of the whole log after every entry, with nested compact, restore and rewind", () => {
    const operations = fc.array(operation, { minLength: 1, maxLength: 60, size: "max" });
    fc.assert(fc.property(operations, checkProjection), { numRuns: amount({ quick: 200, slow: 500 }) });
  });

  it("equals it too when a whole log is opened and read again once", () => {
    const operations = fc.array(operation, { minLength: 1, maxLength: 60, size: "max" });
    const opened = fc.property(operations, (all) => checkOpening(all));
    fc.assert(opened, { numRuns: amount({ quick: 200, slow: 500 }) });
  });

  it("equals it too when only so much of a log's contents is held while it is read", () => {
    const operations = fc.array(operation, { minLength: 1, maxLength: 60, size: "max" });
    fc.assert(fc.property(operations, fc.constantFrom(0, 1_000, 20_000), checkOpening), {
      numRuns: amount({ quick: 200, slow: 500 }),
    });
  });
});
