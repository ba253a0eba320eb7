import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Layer } from "../packages/core/src/spec/index.ts";
import { amount } from "./support/amount.ts";
import { checkSession, sessionStep } from "./support/check-session.ts";
import { sessionSettings } from "./support/session-settings.ts";

const steps = fc.array(sessionStep, { minLength: 1, maxLength: 25, size: "max" });

const numRuns = amount({ quick: 40, slow: 250 });

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

  it("knows what the cache still holds when a rewind brings back an answer of an earlier run (invariant 6)", async () => {
    const answer = { step: "assistant", text: "", calls: 1, thinks: false } as const;
    const summary = { later: 0, anchor: null, keptFrom: 0, keptTo: 0, summaryChars: 10, attachmentChars: 0 };
    const [, editing] = sessionSettings.find(([name]) => name === ", with cache edits") ?? [];
    const calls = [answer, { step: "prepare" }, { step: "compact", ...summary }, answer, answer] as const;
    const resumed = [{ step: "reopen" }, { step: "rewind", pick: 2 }, { step: "reopen" }, answer] as const;
    const requests = await checkSession([...calls, ...resumed], editing);
    expect(requests.at(-1)).toContain("cache_edits");
  });

  it("is the same with a layer inserted that does nothing", async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (all) => {
        expect(await checkSession(all, { layers: [identity] })).toEqual(await checkSession(all));
      }),
      { numRuns },
    );
  });
});
