export type { StatementRule } from "./extract-statements.ts";
export { extractStatements, knownAs, type Statement } from "./extract-statements.ts";
export {
  type ExtractionInput,
  extractionDirective,
  extractionPromptVersion,
} from "./extraction-prompt.ts";
export { type KnownMemory, type MemoryContent, memoryTypes, toMemory } from "./to-memory.ts";
