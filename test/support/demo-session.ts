import type { Stage } from "../../packages/palimpsest/src/surfaces/cli/demo/live/stage.ts";
import type {
  LayerEvent,
  PlayedRequest,
} from "../../packages/palimpsest/src/surfaces/cli/demo/runs/demo-policies.ts";
import type { Scene } from "../../packages/palimpsest/src/surfaces/cli/demo/scenes.ts";
import type { DemoState } from "../../packages/palimpsest/src/surfaces/cli/demo/state/demo-state.ts";

export const played = (tokens: number, dollars: number, breaks = 0): PlayedRequest => ({
  tokens,
  dollars,
  breaks,
  coldStarts: 0,
});

export const scene = (prompt?: string, parts: Partial<Scene> = {}): Scene => ({
  prompts: prompt === undefined ? [] : [prompt],
  idleMs: 0,
  calls: [{ tool: "Read", input: { file_path: "/work/src/a.ts" } }],
  ...parts,
});

export const layerEvent = (request: number, parts: Partial<LayerEvent> = {}): LayerEvent => ({
  request,
  layer: "compaction",
  did: "to 17k",
  frees: 21_122,
  why: "pays after 2.0 requests, and 22 are expected",
  ...parts,
});

export function stageOf(scenes: readonly Scene[], parts: Partial<Stage> = {}): Stage {
  return {
    title: "A session",
    model: "claude-opus-4-5",
    folder: "/work",
    scenes,
    thresholds: {
      window: 200_000,
      effective: 180_000,
      autoEnabled: true,
      auto: 167_000,
      base: 167_000,
      warning: 147_000,
      error: 147_000,
      blocking: 177_000,
      warnings: [],
    },
    peakTokens: 400_000,
    ...parts,
  };
}

/** A session in which every request adds 10,000 tokens without the engine, and none with it. */
export function growingState(requests: number, events: readonly LayerEvent[] = []): DemoState {
  const each = Array.from({ length: requests }, (_, index) => index + 1);
  return {
    engine: each.map((count) => played(20_000, 0.1 * count, 1)),
    identity: each.map((count) => played(10_000 * count, 0.5 * count)),
    events,
    compared: 2,
  };
}
