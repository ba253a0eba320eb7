import type { MemoryContent } from "../../context/extraction/index.ts";
import type { FileTree, Result, View } from "../../spec/index.ts";

/** How a memory stands in its file. */
export interface MemoryCodec {
  /** What a file says; `undefined` where it is no memory. */
  read(path: string, text: string): MemoryContent | undefined;
  write(content: MemoryContent): string;
}

/** What the layer is made with. */
export interface MemoryLayerPorts {
  /** Absolute: where the model finds the memory folder. */
  readonly folder: string;
  /** Absolute: what relative paths of tools begin at. */
  readonly cwd?: string;
  readonly codec: MemoryCodec;
  /** Masks secrets, or keeps a text out and says why; absent: every text is written as it is. */
  readonly guardWrite?: (path: string, text: string) => Promise<Result<string>>;
  /** Whether what a model writes on this view is to be trusted; absent: it is not. */
  readonly trustOf?: (view: View) => MemoryContent["trust"];
  /** Brings the index up to date, once memories were written. */
  readonly refreshIndex?: (tree: FileTree) => Promise<Result<unknown>>;
  /** Default true: where no model can be asked, what the user says outright is taken. */
  readonly hasScribe?: boolean;
}
