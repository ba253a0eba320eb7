import { createTokenizer } from "../../context/recall/index.ts";
import type { Clock, Disk, Embeddings, Ids, Recall, Store } from "../../spec/index.ts";
import { createRecallIndexFiles } from "../../stores/files/recall-index/index.ts";
import { createRecallSearch } from "./search-recall.ts";

export interface OpenRecallOptions {
  /** What is searched: its memories and its logs. */
  readonly store: Store;
  readonly disk: Disk;
  /** Where the index stands; everything in it can be made anew. */
  readonly folder: string;
  readonly clock: Clock;
  readonly ids: Ids;
  /** With it, searches go by meaning too; without it by words alone. */
  readonly embeddings?: Embeddings;
  /** How often a memory was used: those used often come a little earlier. */
  readonly usesOf?: (path: string) => number;
}

/** Reads nothing until it is used. Updates of one process go one after the other. */
export function openRecall(options: OpenRecallOptions): Recall {
  const files = createRecallIndexFiles(options);
  const parts = { ...options, files, tokenizer: createTokenizer() };
  const { search } = createRecallSearch(parts);
  let updating: Promise<unknown> = Promise.resolve();
  return {
    search,
    update(signal) {
      const next = updating.then(async () => {
        const { updateRecall } = await import("./update-recall.ts");
        return updateRecall(parts, signal);
      });
      updating = next;
      return next;
    },
  };
}
