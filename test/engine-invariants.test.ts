import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Layer } from "../packages/core/src/spec/index.ts";
import { checkSession, sessionStep } from "./support/check-session.ts";
import { sessionSettings } from "./support/session-settings.ts";

const steps = fc.array(sessionStep, { minLength: 1, maxLength: 25, size: "max" });

/** `npm test` tries this many of each; the slow suite goes on from there. */
const numRuns = 250;

/** Is asked at every moment, acts each time, and makes nothing. */
const identity: Layer = {
  id: "identity",
  moments: [
    "session-start",
    "turn-start",
    "tool-round",
    "before-request",
    "after-response",
    "after-compaction",
    "turn-end",
    "idle",
  ],
  decide: (view) => ({
    verdict: "act",
    command: null,
    run: "inline",
    reason: "it changes nothing",
    frees: 0,
    basis: view.head,
  }),
  apply: async () => ({ ok: true, value: [] }),
};

describe("a session, whatever is done to it", () => {
  it.each(sessionSettings)(
    "stays valid, stable, announced, lossless and resumable to the byte (invariants 1, 2, 3, 4, 6)%s",
    async (_, setting) => {
      await fc.assert(
        fc.asyncProperty(steps, async (all) => {
          await checkSession(all, setting);
        }),
        { numRuns },
      );
    },
  );

  it("is the same with a layer inserted that does nothing", async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (all) => {
        expect(await checkSession(all, { layers: [identity] })).toEqual(await checkSession(all));
      }),
      { numRuns },
    );
  });
});
