import type { Layer } from "../../spec/index.ts";
import { applyCompaction } from "./apply.ts";
import { decideNative, decideVerdict, type NativeCommand, withNativeRequest } from "./decide.ts";
import { summaryWaitMs, waitForSummary } from "./finish-boundary.ts";
import { applyNative } from "./native-rung.ts";
import { type CompactionCommand, type CompactionPorts, defaultPorts } from "./ports.ts";
import { compactionLayerId } from "./rules/build-boundary.ts";

/**
 * Layer 4: when the window fills, what happened is replaced by a summary of it, with what the work needs to go on. The
 * cheapest way that helps is taken; a way that does not help is not tried for ever.
 */
export function createCompactionLayer(
  given: Partial<CompactionPorts> = {},
): Layer<CompactionCommand | NativeCommand> {
  return {
    id: compactionLayerId,
    moments: ["before-request", "after-response"],
    waitMs: waitForSummary,
    staleMs: () => summaryWaitMs,
    decide: (view, moment, facts) =>
      decideNative(view, moment, facts) ??
      withNativeRequest(decideVerdict(view, moment, facts), view, moment, facts),
    apply: (command, io, signal) =>
      command.act === "native"
        ? applyNative(command, io, signal, { usual: defaultPorts, given })
        : applyCompaction(command, io, signal, { usual: defaultPorts, given }),
  };
}
