import type { Tokenizer } from "../../recall/index.ts";
import type { Clock, Embeddings, RecallIndex, Store } from "../../spec/index.ts";

/** What the parts of recall stand on. */
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
