import type { FileTree, Result } from "../../spec/index.ts";

/** Looks at a text before it is written: gives the text to write, or says why it is not written. */
export type GuardWrite = (path: string, text: string) => Promise<Result<string>>;

export interface MemoryToolOptions {
  /** The memory folder: `/memories` of the tool is its root. */
  readonly tree: FileTree;
  /** The line of `MEMORY.md` from which on it is generated. */
  readonly indexMarker: string;
  /** Masks secrets, or keeps a text out; absent: every text is written as it is. */
  readonly guardWrite?: GuardWrite;
  /** Sent with a schema of its own, for models whose API does not know the tool. */
  readonly isCustom?: boolean;
}

/** A memory has at most so many bytes. */
export const maxMemoryBytes = 100 * 1024;

/** Generated from the front matter of the others, from its marker on. */
export const indexPath = "MEMORY.md";

/** What waits there for a person is neither shown nor changed. */
export const quarantineFolder = "quarantine";
