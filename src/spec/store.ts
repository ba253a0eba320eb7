import type { BlobStore } from "./blob-store.ts";
import type { FileTree } from "./file-tree.ts";
import type { LeaseStore } from "./lease.ts";
import type { LogStore } from "./log-store.ts";
import type { Mailbox } from "./mailbox.ts";

/** The storage ports of one project, together. */
export interface Store {
  readonly logs: LogStore;
  readonly blobs: BlobStore;
  readonly leases: LeaseStore;
  /** A versioned folder by name, such as `memory`. */
  tree(name: string): FileTree;
  readonly mailbox?: Mailbox;
}
