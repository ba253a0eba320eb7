import type { Layer } from "../../spec/index.ts";
import { applyExtraction, memoryCodec } from "./apply.ts";
import { decideExtraction, type ExtractionCommand } from "./decide.ts";
import type { MemoryLayerPorts, MemoryPorts } from "./ports.ts";

export type { GuardedWrite, KeptMemory, MemoryCodec, MemoryLayerPorts } from "./ports.ts";
export { extractionSource } from "./write-memories.ts";

export const memoryLayerId = "memory";

/**
 * Layer 5: at the end of a turn, what should be known in later sessions is written to the memory folder, by a fork that
 * shares the conversation's prefix or, where no model can be asked, from what the user has said outright.
 */
export function createMemoryLayer(given: MemoryLayerPorts): Layer<ExtractionCommand> {
  const ports: MemoryPorts = { ...given, codec: given.codec ?? memoryCodec };
  const { folder, cwd, trustOf, hasScribe = true } = ports;
  const choices = { folder, hasScribe, ...(cwd !== undefined && { cwd }), ...(trustOf && { trustOf }) };
  return {
    id: memoryLayerId,
    moments: ["turn-end"],
    decide: (view, _moment, facts) => decideExtraction(view, facts, choices),
    apply: (command, io, signal) => applyExtraction(command, io, signal, ports),
  };
}
