import fc from "fast-check";
import { describe, it } from "vitest";
import { checkSession, sessionStep } from "./support/check-session.ts";

describe("a session, whatever is done to it", () => {
  it("stays valid, stable, announced, lossless and resumable to the byte (invariants 1, 2, 3, 4, 6)", async () => {
    const steps = fc.array(sessionStep, { minLength: 1, maxLength: 25, size: "max" });
    await fc.assert(fc.asyncProperty(steps, checkSession), { numRuns: 500 });
  });
});
