import type { FileTree, Result, ToolContext, TreeWriteOptions } from "@palimpsest/core/spec";

/** One text to write, and who writes it on which version. */
export interface MemoryWriteRequest extends Pick<TreeWriteOptions, "author" | "session" | "source"> {
  readonly path: string;
  readonly text: string;
  /** The version that was seen: 0 for "not there". */
  readonly expect: number;
  /** The model's current view; absent: not known. */
  readonly view?: ToolContext["view"];
}

export interface WrittenText {
  readonly version: number;
  /** Why it waits for a person and is not in force. */
  readonly quarantined?: string;
}

/** Looks at a text and writes it: masked, into quarantine, or not at all. */
export type WriteText = (request: MemoryWriteRequest) => Promise<Result<WrittenText>>;

export interface MemoryToolOptions {
  /** The memory folder: `/memories` of the tool is its root. */
  readonly tree: FileTree;
  /** The line of `MEMORY.md` from which on it is generated. */
  readonly indexMarker: string;
  /** Absent: every text is written as it is. */
  readonly write?: WriteText;
  /** Absolute: where the folder is, for permission; absent: calls name no paths. */
  readonly folder?: string;
  /** Why a path of the tree may not be written or moved; absent: every one may. */
  readonly refusePath?: (path: string) => string | undefined;
  /** Why nothing may get this name now, in sight of what is in view; `undefined`: it may. */
  readonly refuseName?: (path: string, view?: ToolContext["view"]) => string | undefined;
  /** A file was shown. */
  readonly onView?: (path: string) => void;
  /** Something was removed or renamed: the index has to follow. */
  readonly onMove?: () => Promise<void>;
  /** Sent with a schema of its own, for models whose API does not know the tool. */
  readonly isCustom?: boolean;
}

/** A memory has at most so many bytes. */
export const maxMemoryBytes = 100 * 1024;

/** Generated from the front matter of the others, from its marker on. */
export const indexPath = "MEMORY.md";

/** Files there wait for a person and are neither shown nor changed. */
export const quarantineFolder = "quarantine";
