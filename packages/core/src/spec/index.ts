export type * from "./accounting.ts";
export type * from "./agent.ts";
export type * from "./agent-message.ts";
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
export type * from "./loop.ts";
export type { Clock, Ids } from "./machine/clock.ts";
export type { Disk, DiskFile, DiskStat } from "./machine/disk.ts";
export type { Embeddings } from "./machine/embeddings.ts";
export type { Processes, ProcessIdentity } from "./machine/process.ts";
export type * from "./machine/shell.ts";
export type * from "./memory/dream.ts";
export type * from "./memory/memory.ts";
export type * from "./memory/memory-folder.ts";
export type * from "./memory/recall.ts";
export type * from "./memory/taint.ts";
export type * from "./message.ts";
export { isBlock } from "./message.ts";
export type * from "./model.ts";
export type * from "./notice.ts";
export type * from "./permission.ts";
export { fail, ok, type Result } from "./result.ts";
export type * from "./session.ts";
export type * from "./settings.ts";
export type { SessionStatistics } from "./statistics.ts";
export type * from "./stores/agent-records.ts";
export type { ArchivePiece, ChangingPiece, StoreArchive } from "./stores/archive.ts";
export type * from "./stores/background-work.ts";
export type { BlobStore } from "./stores/blob-store.ts";
export type { FileTree, TreeFile, TreeVersion, TreeWriteOptions } from "./stores/file-tree.ts";
export type { AcquireOptions, Lease, LeaseHolder, LeaseStore } from "./stores/lease.ts";
export type * from "./stores/log-store.ts";
export type { Mail, Mailbox } from "./stores/mailbox.ts";
export type * from "./stores/project-stores.ts";
export type * from "./stores/recall-index.ts";
export type * from "./stores/session-upkeep.ts";
export type * from "./stores/spending.ts";
export type { LearnedStore, NotesCopies, Store, StoreFolders } from "./stores/store.ts";
export type * from "./stores/store-sessions.ts";
export type * from "./surroundings.ts";
export type * from "./tool.ts";
export type * from "./view.ts";
