export { findSupport, minSupport, recalledTrust, renderMemory, renderMemoryIndex } from "./find-support.ts";
export { stripInvisible } from "./fold-text.ts";
export { isImperative, isImperativePath } from "./is-imperative.ts";
export { judgeMemory, type MemoryDraft, type MemoryVerdict } from "./judge-memory.ts";
export {
  type FileStanding,
  fileTrust,
  isRecalled,
  markRecalled,
  type Taint,
  type TaintKind,
  type TaintSource,
  type Trust,
  type TrustLocations,
  untainted,
  withoutRecalled,
} from "./locations.ts";
export { emptyTaint, nextTaint, type TaintState, toTaint } from "./next-taint.ts";
export { taintOf } from "./taint-of.ts";
