export { decideExtraction, type ExtractionChoices, type ExtractionCommand } from "./decide-extraction.ts";
export { extractStatements, knownAs, type Statement } from "./extract-statements.ts";
export {
  type ExtractionInput,
  extractionDirective,
  extractionPromptVersion,
} from "./extraction-prompt.ts";
export { type KnownMemory, type MemoryContent, memoryTypes } from "./memory-types.ts";
export { type ExtractionState, nextExtraction } from "./next-extraction.ts";
export { hasOwnWrites, type MemoryLocation } from "./own-writes.ts";
export type { StatementRule } from "./statement-rules.ts";
export { toMemory } from "./to-memory.ts";
