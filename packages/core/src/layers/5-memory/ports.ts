import type { FileTree, Result, TaintSource, UserMessageRecord, View } from "../../spec/index.ts";
import type { MemoryContent } from "./rules/index.ts";

/** How a memory stands in its file. */
export interface MemoryCodec {
  /** The memory in a file; `undefined` where it is no memory. */
  read(path: string, text: string): MemoryContent | undefined;
  write(content: MemoryContent): string;
}

/** A memory to write, with what it is judged by. */
export interface GuardedWrite {
  readonly path: string;
  readonly text: string;
  readonly content: MemoryContent;
  /** The version it stands on: 0 for a new one. */
  readonly expect: number;
  /** The user's messages that it was made from. */
  readonly messages: readonly UserMessageRecord[];
  /** Reasons against trusting it, where they are known. */
  readonly because: readonly TaintSource[];
}

export interface KeptMemory {
  /** Where it stands: another path where it waits in quarantine. */
  readonly path: string;
}

/** The ports of the layer. */
export interface MemoryLayerPorts {
  /** Absolute: where the model finds the memory folder. */
  readonly folder: string;
  /** Absolute: what relative paths of tools begin at. */
  readonly cwd?: string;
  /** Absent: front matter and body, as the memory folder of a project has them. */
  readonly codec?: MemoryCodec;
  /**
   * Writes a memory: masks secrets, puts it into quarantine or keeps it out, keeps the index in step; absent: every text
   * is written as it is.
   */
  readonly write?: (tree: FileTree, write: GuardedWrite) => Promise<Result<KeptMemory>>;
  /** Whether what a model writes on this view is to be trusted; absent: it is not. */
  readonly trustOf?: (view: View) => MemoryContent["trust"];
  /** Default true: where no model can be asked, what the user says outright is taken. */
  readonly hasScribe?: boolean;
}

/** The same, with a codec in any case. */
export interface MemoryPorts extends MemoryLayerPorts {
  readonly codec: MemoryCodec;
}
