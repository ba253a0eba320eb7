import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { defaultLayers } from "../src/engine/default-layers.ts";
import type { Layer } from "../src/spec/index.ts";
import { checkSession, type SessionSetting, sessionStep } from "./support/check-session.ts";

const steps = fc.array(sessionStep, { minLength: 1, maxLength: 25, size: "max" });
const model = "claude-opus-5.5";
const settings = { catalog: { capabilities: { [model]: { dropsUnboundThinking: false } } } };

/** Deletes results from the cache as soon as there are a few. */
const editing = (capabilities: object): Omit<SessionSetting, "model"> => ({
  settings: {
    flags: { "clear-cache-edits": true },
    microcompact: { cacheEditTrigger: 2, cacheEditKeep: 1 },
    catalog: { capabilities: { "*": { cacheEdits: true, ...capabilities } } },
  },
  usage: { input: 1, output: 1, cacheRead: 1_000, cacheCreation: 100 },
  layers: defaultLayers(),
});

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
  it.each<[string, SessionSetting]>([
    ["", {}],
    [", where thinking is bound to its prefix", { model, settings }],
    [
      ", where thinking is bound and asked for",
      { model, settings, request: { thinking: { type: "enabled" } } },
    ],
    [", with the usual layers", { layers: defaultLayers() }],
    [
      ", with the usual layers, where thinking is bound and asked for",
      { model, settings, request: { thinking: { type: "enabled" } }, layers: defaultLayers() },
    ],
    [", with cache edits", editing({})],
    [
      ", with cache edits, where thinking is bound and asked for",
      { ...editing({ dropsUnboundThinking: false }), model, request: { thinking: { type: "adaptive" } } },
    ],
    [", where the API drops unbound thinking", { model, request: { thinking: { type: "adaptive" } } }],
  ])(
    "stays valid, stable, announced, lossless and resumable to the byte (invariants 1, 2, 3, 4, 6)%s",
    async (_, setting) => {
      await fc.assert(
        fc.asyncProperty(steps, async (all) => {
          await checkSession(all, setting);
        }),
        { numRuns: 500 },
      );
    },
  );

  it("is the same with a layer inserted that does nothing", async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (all) => {
        expect(await checkSession(all, { layers: [identity] })).toEqual(await checkSession(all));
      }),
      { numRuns: 500 },
    );
  });
});
