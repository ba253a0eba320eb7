export type * from "./accounting.ts";
export type * from "./agent.ts";
export type * from "./cache.ts";
export type * from "./compaction.ts";
export type * from "./decision.ts";
export type * from "./entry.ts";
export { type ErrorCode, type ErrorDetails, PalimpsestError } from "./error.ts";
export type * from "./event.ts";
export type {
  FlagName,
  FlagReach,
  FlagStore,
  FlagValues,
  StoredFlag,
  StoredFlags,
  SwitchFlagName,
} from "./flag.ts";
export type * from "./fork.ts";
export type * from "./hook.ts";
export type * from "./layer.ts";
export type * from "./machine.ts";
export type * from "./memory/memory.ts";
export type * from "./memory/memory-folder.ts";
export type * from "./message.ts";
export { isBlock } from "./message.ts";
export type * from "./model-name.ts";
export type * from "./permission.ts";
export type * from "./request.ts";
export { fail, ok, type Result } from "./result.ts";
export type * from "./session.ts";
export type * from "./settings.ts";
export type * from "./stores/background-work.ts";
export type { FileTree, TreeFile, TreeVersion, TreeWriteOptions } from "./stores/file-tree.ts";
export type * from "./stores/log-store.ts";
export type * from "./stores/recall-index.ts";
export type * from "./stores/session-upkeep.ts";
export type * from "./stores/store.ts";
export type * from "./surroundings.ts";
export type * from "./tool.ts";
export type * from "./view.ts";
