export type * from "./accounting.ts";
export type * from "./agent.ts";
export type * from "./agent-message.ts";
export type * from "./agent-records.ts";
export type { ArchivePiece, ChangingPiece, StoreArchive } from "./archive.ts";
export type * from "./background-work.ts";
export type { BlobStore } from "./blob-store.ts";
export type * from "./cache.ts";
export type { Clock, Ids } from "./clock.ts";
export type * from "./compaction.ts";
export type * from "./decision.ts";
export type { Disk, DiskFile, DiskStat } from "./disk.ts";
export type * from "./dream.ts";
export type { Embeddings } from "./embeddings.ts";
export type * from "./entry.ts";
export { type ErrorCode, type ErrorDetails, PalimpsestError } from "./error.ts";
export type * from "./event.ts";
export type { FileTree, TreeFile, TreeVersion, TreeWriteOptions } from "./file-tree.ts";
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

export type { AcquireOptions, Lease, LeaseHolder, LeaseStore } from "./lease.ts";
export type * from "./log-store.ts";
export type * from "./loop.ts";
export type { Mail, Mailbox } from "./mailbox.ts";
export type * from "./memory.ts";
export type * from "./memory-folder.ts";
export type * from "./message.ts";
export { isBlock } from "./message.ts";
export type * from "./model.ts";
export type * from "./notice.ts";
export type * from "./permission.ts";
export type { Processes, ProcessIdentity } from "./process.ts";
export type * from "./project-stores.ts";
export type * from "./recall.ts";
export type * from "./recall-index.ts";
export { fail, ok, type Result } from "./result.ts";
export type * from "./session.ts";
export type * from "./session-upkeep.ts";
export type * from "./settings.ts";
export type * from "./shell.ts";
export type * from "./spending.ts";
export type { SessionStatistics } from "./statistics.ts";
export type { LearnedStore, NotesCopies, Store, StoreFolders } from "./store.ts";
export type * from "./store-sessions.ts";
export type * from "./surroundings.ts";
export type * from "./taint.ts";
export type * from "./tool.ts";
export type * from "./view.ts";
