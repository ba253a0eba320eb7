import type { Layer } from "../../spec/index.ts";
import { applyCompaction } from "./apply.ts";
import { applyNative } from "./apply-native.ts";
import type { CompactionCommand } from "./command.ts";
import { decideVerdict } from "./decide.ts";
import { decideNative, type NativeCommand, withNativeRequest } from "./decide-native.ts";
import { defaultPorts } from "./default-ports.ts";
import type { CompactionPorts } from "./ports.ts";
import { compactionLayerId } from "./rules/build-boundary.ts";
import { summaryWaitMs, waitForSummary } from "./wait-for-summary.ts";

/**
 * Layer 4: when the window fills, what happened gives way to a summary of it, with what the work needs to go on. The
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
