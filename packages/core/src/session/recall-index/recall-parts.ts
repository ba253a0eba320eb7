import type { Tokenizer } from "../../recall/index.ts";
import type { Clock, Embeddings, RecallIndex, Store } from "../../spec/index.ts";

/** The common base of recall's parts. */
export interface RecallParts {
  readonly store: Store;
  readonly index: RecallIndex;
  readonly clock: Clock;
  readonly tokenizer: Tokenizer;
  readonly embeddings?: Embeddings;
  /** How often a memory was used. */
  readonly usesOf?: (path: string) => number;
}

/** The tree that holds the memories. */
export const memoryTree = "memory";
