import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { growingState, layerEvent, scene } from "../../../../../../../test/support/demo-session.ts";
import { advance, dwellMs } from "./demo-state.ts";

describe("the pace of the demo", () => {
  it("takes the same time for sessions of any length, and longer where layers work", () => {
    const total = (requests: number, events: number) => {
      const scenes = Array.from({ length: requests }, (_, index) =>
        scene(index % 10 === 0 ? "go on" : undefined),
      );
      const state = growingState(
        requests,
        Array.from({ length: events }, (_, index) => layerEvent(index)),
      );
      return scenes.reduce((sum, _scene, index) => sum + dwellMs(scenes, state, index), 0);
    };
    expect(total(50, 0)).toBeCloseTo(15_500);
    expect(total(400, 0)).toBeCloseTo(15_500);
    expect(total(400, 28)).toBeCloseTo(19_980);
  });

  it("shows every request for its time", () => {
    const dwell = () => 100;
    expect(advance({ passed: 0, restMs: 0 }, 0, 5, dwell)).toEqual({ passed: 1, restMs: 0 });
    expect(advance({ passed: 1, restMs: 0 }, 70, 5, dwell)).toEqual({ passed: 1, restMs: 70 });
    expect(advance({ passed: 1, restMs: 70 }, 70, 5, dwell)).toEqual({ passed: 2, restMs: 40 });
    expect(advance({ passed: 1, restMs: 0 }, 250, 5, dwell)).toEqual({ passed: 3, restMs: 50 });
  });

  it("waits for what is not known, and does not hurry afterwards", () => {
    expect(advance({ passed: 0, restMs: 0 }, 9_000, 0, () => 100)).toEqual({ passed: 0, restMs: 0 });
    expect(advance({ passed: 3, restMs: 0 }, 9_000, 3, () => 100)).toEqual({ passed: 3, restMs: 100 });
  });

  it("never goes back and never past what is known", () => {
    const numbers = fc.record({
      passed: fc.nat(50),
      more: fc.nat(50),
      elapsedMs: fc.nat(100_000),
      dwellMs: fc.nat(500),
    });
    fc.assert(
      fc.property(numbers, ({ passed, more, elapsedMs, dwellMs: each }) => {
        const at = advance({ passed, restMs: 0 }, elapsedMs, passed + more, () => each);
        expect(at.passed).toBeGreaterThanOrEqual(passed);
        expect(at.passed).toBeLessThanOrEqual(passed + more);
        expect(at.restMs).toBeGreaterThanOrEqual(0);
      }),
    );
  });
});
