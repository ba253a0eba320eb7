import { describe, expect, it } from "vitest";
import { growingState, layerEvent, played, scene } from "../../../../../../../test/support/demo-session.ts";
import { emptyDemo, knownRequests, layerTotals, momentAt, reduceDemo } from "./demo-state.ts";

describe("the state of the demo", () => {
  it("keeps what the threads tell, run by run", () => {
    const words = [
      { word: "request", run: "engine", request: played(10, 1) },
      { word: "request", run: "identity", request: played(20, 2) },
      { word: "request", run: "engine", request: played(11, 3) },
      { word: "layer", event: layerEvent(1) },
      { word: "log", lines: new Uint8Array(), lastSeq: 1 },
    ] as const;
    const state = words.reduce(reduceDemo, emptyDemo);
    expect(state).toEqual({
      engine: [played(10, 1), played(11, 3)],
      identity: [played(20, 2)],
      events: [layerEvent(1)],
      compared: 0,
    });
    expect(knownRequests(state)).toBe(1);
  });

  it("shows a moment with what had happened by then and nothing later", () => {
    const pause = { idleMs: 600_000 };
    const scenes = [scene("first"), scene(), scene("second", pause), scene(), scene("third")];
    const state = growingState(5, [layerEvent(1), layerEvent(3), layerEvent(4)]);
    expect(momentAt(scenes, state, 4)).toEqual({
      passed: 4,
      requests: 5,
      prompt: { text: "second", number: 2, of: 3, idleMs: 600_000 },
      scene: scenes[3],
      engine: state.engine[3],
      identity: state.identity[3],
      events: [layerEvent(1), layerEvent(3)],
    });
    expect(momentAt(scenes, state, 0)).toMatchObject({ prompt: null, scene: null, engine: null, events: [] });
  });

  it("counts each layer's work", () => {
    const notes = layerEvent(2, { layer: "session-notes", frees: 0 });
    expect(layerTotals([layerEvent(1, { frees: 5 }), notes, layerEvent(3, { frees: 7 })])).toEqual([
      { name: "1 tool results", times: 0, frees: 0 },
      { name: "2 microcompact", times: 0, frees: 0 },
      { name: "3 session notes", times: 1, frees: 0 },
      { name: "4 compaction", times: 2, frees: 12 },
    ]);
  });
});
