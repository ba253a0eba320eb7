export { createToolResultsLayer } from "./layers/1-tool-results/index.ts";
export { createMicrocompactLayer } from "./layers/2-microcompact/index.ts";
export {
  createMemoryLayer,
  type GuardedWrite,
  type KeptMemory,
  type MemoryCodec,
  type MemoryLayerPorts,
} from "./layers/5-memory/index.ts";
export {
  detectFormat,
  type ImportOptions,
  type ImportReport,
  importTranscript,
  type TranscriptFormat,
} from "./log/import/index.ts";
export { inlineLargeValues, storeLargeValues } from "./log/large-values.ts";
export { answerRecall, recallTool } from "./recall/tool/index.ts";
export { defaultLayers } from "./session/default-layers.ts";
export type { LoopPort, SessionHandle } from "./session/loop-port.ts";
export { type OpenMemoryOptions, openMemory } from "./session/memory/open-memory.ts";
export { openSession, type SessionOptions } from "./session/open-session.ts";
export { type OpenRecallOptions, openRecall } from "./session/recall-index/index.ts";
export type * from "./spec/index.ts";
export { fail, isBlock, ok, PalimpsestError } from "./spec/index.ts";
export { openFileStore } from "./stores/files/index.ts";
export { version } from "./version.ts";
export type { Taint, TaintKind, TaintSource, Trust } from "./view/trust/index.ts";
