import fc from "fast-check";
import { it } from "vitest";
import { checkProjection } from "../support/check-projection.ts";
import { checkRepair, checkRepairOfPart } from "../support/check-repair.ts";
import { checkSeen, seenModes, seenStep } from "../support/check-seen.ts";
import { checkSession, sessionStep } from "../support/check-session.ts";
import { checkUndoAll, undoStep } from "../support/check-undo-all.ts";
import { operation } from "../support/histories.ts";
import { reach } from "../support/reach.ts";
import { seed } from "../support/seed.ts";

const batch = 250;
const operations = fc.array(operation, { minLength: 1, maxLength: 60, size: "max" });
const withRequests = fc.array(fc.tuple(operation, fc.nat({ max: 5 })), {
  minLength: 1,
  maxLength: 50,
  size: "max",
});

type Run = (parameters: fc.Parameters<unknown>) => void;

const properties: readonly { readonly name: string; readonly run: Run }[] = [
  {
    name: "incremental projections equal to the batch",
    run: (given) => fc.assert(fc.property(operations, checkProjection), given as never),
  },
  {
    name: "histories repaired at every request",
    run: (given) => fc.assert(fc.property(withRequests, checkRepair), given as never),
  },
  {
    name: "parts of histories repaired",
    run: (given) =>
      fc.assert(fc.property(operations, fc.array(fc.boolean()), checkRepairOfPart), given as never),
  },
];

it.each(properties)("$name", async ({ name, run }) => {
  await reach({ name, minimum: 10_000, plenty: 10_500, share: 0.1 }, async (done) => {
    run({ numRuns: batch, seed: seed + done });
    return batch;
  });
});

it("sessions whatever is done to them", async () => {
  const steps = fc.array(sessionStep, { minLength: 1, maxLength: 25, size: "max" });
  const capabilities = { "claude-opus-5.5": { dropsUnboundThinking: false } };
  const settings = { catalog: { capabilities } };
  const name = "sessions that stay valid, stable, announced, lossless and resumable";
  await reach({ name, minimum: 10_000, plenty: 10_500, share: 0.12 }, async (done) => {
    const setting = (done / batch) % 2 === 0 ? {} : { model: "claude-opus-5.5", settings };
    const property = fc.asyncProperty(steps, async (all) => {
      await checkSession(all, setting);
    });
    await fc.assert(property, { numRuns: batch, seed: seed + done });
    return batch;
  });
});

it("sessions whose decisions are all undone", async () => {
  const steps = fc.array(undoStep, { minLength: 1, maxLength: 14, size: "max" });
  const name = "histories undone to the original request";
  await reach({ name, minimum: 10_000, plenty: 10_000, share: 0.2 }, async (done) => {
    const property = fc.asyncProperty(steps, async (all) => {
      await checkUndoAll(all);
    });
    await fc.assert(property, { numRuns: batch, seed: seed + done });
    return batch;
  });
});

it("runs whose requests have all that is new", async () => {
  const steps = fc.array(seenStep, { minLength: 1, maxLength: 14, size: "max" });
  const modes = Object.values(seenModes);
  const name = "runs in which what no model has seen is sent word for word";
  await reach({ name, minimum: 1_000, plenty: 5_000, share: 0.08 }, async (done) => {
    const property = fc.asyncProperty(steps, fc.constantFrom(...modes), async (all, mode) => {
      await checkSeen(all, mode);
    });
    await fc.assert(property, { numRuns: batch, seed: seed + done });
    return batch;
  });
});
