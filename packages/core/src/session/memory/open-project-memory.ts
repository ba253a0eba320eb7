import { createRuntime } from "../../runtime.ts";
import {
  type Clock,
  type Embeddings,
  type Ids,
  type MemoryFolder,
  type MemoryHit,
  ok,
  type PalimpsestError,
  type Recall,
  type RecallHit,
  type SearchMemories,
  type Store,
} from "../../spec/index.ts";
import { deferMemoryFolder } from "./defer-memory-folder.ts";
import { findMemoryLocation } from "./find-memory-location.ts";
import { createMemoryUses, type MemoryUses } from "./memory-history.ts";
import type { OpenMemoryOptions } from "./open-memory.ts";

/** The body of `openMemory`, loaded when it is called: a folder with its mask, its judge and its search. */
export async function openProjectMemory(options: OpenMemoryOptions): Promise<MemoryFolder> {
  const runtime = createRuntime();
  const { clock = runtime.clock, ids = runtime.ids, embeddings, onProblem = () => undefined } = options;
  const location = await findMemoryLocation(options);
  const uses = createMemoryUses(location.learned, location.project);
  const index =
    location.recall &&
    createMemorySearch({ store: location.recall, clock, ids, embeddings, uses, onProblem });
  const search = options.search === false ? undefined : (options.search ?? index);
  const load = async () => {
    const store = options.store ?? location.recall;
    if (store) await recover(store, onProblem);
    const { composeMemoryFolder } = await import("./compose-memory-folder.ts");
    return composeMemoryFolder({ options, location, uses, runtime });
  };
  return deferMemoryFolder(load, { search, uses, ...(location.close && { close: location.close }) });
}

/** Finishes the changes of a dream that was killed: nobody should see half of it. */
async function recover(store: Store, onProblem: (problem: PalimpsestError) => void): Promise<void> {
  const { recoverDreams } = await import("../dream/recover-dreams.ts");
  const recovered = await recoverDreams(store);
  if (!recovered.ok) onProblem(recovered.error);
}

interface MemorySearchParts {
  /** With an index. */
  readonly store: Store;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly embeddings?: Embeddings;
  readonly uses: MemoryUses;
  readonly onProblem: (problem: PalimpsestError) => void;
}

/** Searches memories, notes and past sessions by an index that is brought up to date first. */
function createMemorySearch(parts: MemorySearchParts): SearchMemories {
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
