import type { TreeVersion } from "../stores/file-tree.ts";
import type {
  Memory,
  MemoryFile,
  MemoryHit,
  MemorySearchOptions,
  MemorySurvey,
  MemoryWriteOptions,
  MemoryWritten,
} from "./memory.ts";

export type MemoryFindingKind =
  | "duplicate"
  | "near-duplicate"
  | "recall-loop"
  | "stale-path"
  | "secret"
  | "orphan"
  | "invalid";

export interface MemoryFinding {
  readonly kind: MemoryFindingKind;
  readonly path: string;
  /** The finding, for a person. */
  readonly detail: string;
  /** The other memory of a pair. */
  readonly other?: string;
}

export interface MemoryRate {
  /** Memories or files concerned. */
  readonly count: number;
  /** Of so many that were looked at. */
  readonly of: number;
  /** Between 0 and 1; `null` where nothing could be looked at. */
  readonly rate: number | null;
}

export interface MemoryDoctorReport {
  readonly memories: number;
  readonly rates: Readonly<Record<MemoryFindingKind, MemoryRate>>;
  readonly findings: readonly MemoryFinding[];
  /** Kinds that could not be checked, since nothing was handed in that can tell. */
  readonly unchecked: readonly MemoryFindingKind[];
  readonly index: { readonly lines: number; readonly bytes: number; readonly isOverLimit: boolean };
}

/** The target of a revert: one file to an earlier version, or all that a session or a dream has written. */
export type MemoryRevertTarget =
  | {
      readonly path: string;
      /** Without it, the version before the newest. */
      readonly version?: number;
    }
  | { readonly session: string }
  /** The id of a dream. */
  | { readonly group: string };

export interface MemoryRevertReport {
  readonly reverted: readonly {
    readonly path: string;
    /** The new version. */
    readonly version: number;
    readonly isRemoved: boolean;
  }[];
  /** Files that others have changed in the same lines since. */
  readonly skipped: readonly { readonly path: string; readonly why: string }[];
}

export interface BlamedLine {
  readonly line: string;
  /** The version that brought it. */
  readonly version: TreeVersion;
}

export interface MemoryDiff {
  readonly path: string;
  /** 0 for "not there". */
  readonly from: number;
  readonly to: number;
  /** Unified, with three lines around each change; empty where nothing differs. */
  readonly text: string;
  readonly added: number;
  readonly removed: number;
}

/** Memories as one document. */
export interface MemoryDocument {
  readonly format: "palimpsest-memory";
  readonly version: 1;
  readonly exportedAt: string;
  readonly files: readonly { readonly path: string; readonly text: string }[];
}

/** A folder on this machine, a document of an export, or files already read. */
export type MemoryImportSource =
  | { readonly folder: string }
  | { readonly document: unknown }
  | { readonly files: readonly { readonly path: string; readonly text: string }[] };

export interface MemoryImportOptions {
  /** Default `untrusted`: what was not written here may want things of the agent. */
  readonly trust?: "trusted" | "untrusted";
  /** Write over memories that are there and say something else. */
  readonly replace?: boolean;
  /** Only say what would be done. */
  readonly dryRun?: boolean;
}

export interface MemoryImportReport {
  readonly imported: readonly {
    readonly path: string;
    readonly quarantined?: string;
    /** How many secrets were masked. */
    readonly masked?: number;
  }[];
  readonly skipped: readonly { readonly path: string; readonly why: string }[];
}

export interface LoadedIndex {
  readonly text: string;
  /** Memories that are not listed in it, since it would be over its limits. */
  readonly leftOut: number;
}

/** A project's memories. Failures throw a `PalimpsestError`. */
export interface MemoryFolder {
  /** Memories that are in force; those in quarantine where asked for. */
  list(options?: { readonly quarantine?: boolean }): Promise<readonly Memory[]>;
  survey(): Promise<MemorySurvey>;
  read(path: string, version?: number): Promise<MemoryFile>;
  /** A whole file. Its provenance comes from the options, whatever the text says. Rebuilds `MEMORY.md`. */
  write(path: string, text: string, options?: MemoryWriteOptions): Promise<MemoryWritten>;
  /** The user's own part of `MEMORY.md`: what stands above the marker, or the whole text where there is none. */
  writeOwnLines(text: string, options?: { readonly expect?: number }): Promise<TreeVersion>;
  remove(path: string, options?: MemoryWriteOptions): Promise<TreeVersion>;
  /** Every version of a file, or of all files, oldest first. */
  history(path?: string): Promise<readonly TreeVersion[]>;
  /** Between two versions; by default between the newest and the one before it. */
  diff(path: string, range?: { readonly from?: number; readonly to?: number }): Promise<MemoryDiff>;
  blame(path: string): Promise<readonly BlamedLine[]>;
  revert(target: MemoryRevertTarget): Promise<MemoryRevertReport>;
  /** A person agrees: out of quarantine, or marked as confirmed where it stands. */
  confirm(path: string): Promise<MemoryWritten>;
  /** A person does not agree: what waits in quarantine is removed. */
  reject(path: string): Promise<TreeVersion>;
  search(query: string, options?: MemorySearchOptions): Promise<readonly MemoryHit[]>;
  /** `MEMORY.md` as it should be now, whole. */
  index(): Promise<string>;
  /** The index within its limits: the newest and the most used stay, and it says what is left out. */
  loadIndex(): Promise<LoadedIndex>;
  /** Writes `MEMORY.md` anew if it is not as it should be; whether it was written. */
  reindex(): Promise<boolean>;
  /** A memory was of use; counted when the folder is closed. */
  use(path: string): void;
  /** How often memories were of use, by path. */
  uses(): Promise<ReadonlyMap<string, number>>;
  doctor(): Promise<MemoryDoctorReport>;
  import(source: MemoryImportSource, options?: MemoryImportOptions): Promise<MemoryImportReport>;
  export(): Promise<MemoryDocument>;
  close(): Promise<void>;
}
