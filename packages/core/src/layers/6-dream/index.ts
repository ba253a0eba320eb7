import type { Layer } from "../../spec/index.ts";
import { applyDream, type DreamLayerPorts } from "./apply.ts";
import { type DreamCommand, decideLayer } from "./decide.ts";

export type { DreamLayerPorts } from "./apply.ts";

export const dreamLayerId = "dream";

/**
 * Layer 6: when a session that stays open begins and while it is idle, memory is put in order in the background if it is
 * time. Where daily logs are kept, a line is added to the day's at the end of each turn.
 */
export function createDreamLayer(ports: DreamLayerPorts): Layer<DreamCommand> {
  return {
    id: dreamLayerId,
    moments: ["session-start", "turn-end", "idle"],
    decide: (view, moment, facts) => decideLayer(view, moment, facts, ports),
    apply: (command, io, signal) => applyDream(command, io, signal, ports),
  };
}
