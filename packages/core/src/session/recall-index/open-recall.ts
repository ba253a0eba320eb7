import { createTokenizer } from "../../recall/index.ts";
import { createRuntime } from "../../runtime.ts";
import {
  type Clock,
  type Disk,
  type Embeddings,
  fail,
  type Ids,
  type Recall,
  type Store,
} from "../../spec/index.ts";
import { createFileRecallIndex } from "../../stores/files/recall-index/recall-index.ts";
import { createRecallSearch } from "./search-recall.ts";

export interface OpenRecallOptions {
  /** The store to search: its memories and its logs; its own index, where it has one and no folder is named. */
  readonly store: Store;
  /** With it the index stands in this folder; everything in it can be made anew. */
  readonly folder?: string;
  /** For `folder`. */
  readonly disk?: Disk;
  /** This machine's, when absent; ids likewise. */
  readonly clock?: Clock;
  readonly ids?: Ids;
  /** With it, searches go by meaning too; without it by words alone. */
  readonly embeddings?: Embeddings;
  /** How often a memory was used: those used often come a little earlier. */
  readonly usesOf?: (path: string) => number;
}

/** Reads nothing until it is used. Updates of one process go one after the other. Throws where there is no index. */
export function openRecall(options: OpenRecallOptions): Recall {
  const runtime = createRuntime();
  const { store, disk, folder, clock = runtime.clock, ids = runtime.ids } = options;
  const index =
    disk && folder !== undefined ? createFileRecallIndex({ disk, folder, ids }) : store.recallIndex;
  if (index === undefined) throw noIndex();
  const parts = { ...options, clock, ids, index, tokenizer: createTokenizer() };
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

function noIndex(): Error {
  return fail("invalid-input", "This store has no search index.", {
    path: "store",
    fix: "Name a disk and a folder where one can stand.",
  }).error;
}
