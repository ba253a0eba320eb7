import type { Layer } from "../../spec/index.ts";
import { applyMicrocompact, microcompactLayerId } from "./apply.ts";
import type { MicrocompactCommand } from "./command.ts";
import { decideMicrocompact } from "./decide.ts";

/**
 * Layer 2: before each request, results of tools that have served their purpose give way to labels by which they can be
 * found again. No model call, no summary, and never at the price of the cache.
 */
export function createMicrocompactLayer(): Layer<MicrocompactCommand> {
  return {
    id: microcompactLayerId,
    moments: ["before-request", "after-response"],
    decide: decideMicrocompact,
    apply: (command, io) => applyMicrocompact(command, io),
  };
}
