import {
  type Clock,
  type Embeddings,
  type Ids,
  type MemoryHit,
  ok,
  type PalimpsestError,
  type Recall,
  type RecallHit,
  type SearchMemories,
  type Store,
} from "../../spec/index.ts";
import type { MemoryUses } from "./memory-uses.ts";

export interface MemorySearchParts {
  /** With an index. */
  readonly store: Store;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly embeddings?: Embeddings;
  readonly uses: MemoryUses;
  readonly onProblem: (problem: PalimpsestError) => void;
}

/** Searches memories, notes and past sessions by an index that is brought up to date first. */
export function createMemorySearch(parts: MemorySearchParts): SearchMemories {
  const { uses, onProblem } = parts;
  let counts: ReadonlyMap<string, number> = new Map();
  let recall: Promise<Recall> | undefined;

  async function open(): Promise<Recall> {
    const { openRecall } = await import("../recall-index/index.ts");
    return openRecall({ ...parts, usesOf: (path) => counts.get(path) ?? 0 });
  }

  return async (query, options) => {
    recall ??= open();
    const opened = await recall;
    counts = await uses.counts();
    const updated = await opened.update();
    for (const problem of updated.ok ? updated.value.problems : [updated.error]) onProblem(problem);
    const answer = await opened.search(query, options);
    return answer.ok ? ok(answer.value.hits.map(toMemoryHit)) : answer;
  };
}

function toMemoryHit({ id, ...hit }: RecallHit): MemoryHit {
  return { path: id, ...hit };
}
