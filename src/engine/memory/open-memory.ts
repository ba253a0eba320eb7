import type {
  Clock,
  Ids,
  JudgeMemory,
  MaskSecrets,
  MemoryFolder,
  PalimpsestError,
  SearchMemories,
  Store,
} from "../../spec/index.ts";

/**
 * Where the memories are: in any folder (`dir`), in a store of yours (`store`, `project`), or below the data root, for
 * the project of `cwd` or the one that is named.
 */
export interface OpenMemoryOptions {
  readonly dir?: string;
  /** For `dir`, default true: a write survives power loss once it is acknowledged. */
  readonly durable?: boolean;
  readonly store?: Store;
  /** The project's slug. */
  readonly project?: string;
  /** The data root; `PALIMPSEST_HOME` and its defaults when absent. */
  readonly home?: string;
  /** Where the project's files are, also for telling which paths in memories are gone. */
  readonly cwd?: string;
  readonly clock?: Clock;
  readonly ids?: Ids;
  /** Says whether a write waits in quarantine; without it none does. */
  readonly judgeMemory?: JudgeMemory;
  /** Takes secrets out of what is written; without it nothing is looked for. */
  readonly maskSecrets?: MaskSecrets;
  /** Finds memories; without it all of them are read for each search. */
  readonly search?: SearchMemories;
  /** What went wrong and stopped nothing: an index that could not be written. */
  readonly onProblem?: (problem: PalimpsestError) => void;
}

/** Opens a project's memories. Throws a `PalimpsestError` that says what is wrong and what to do. */
export async function openMemory(options: OpenMemoryOptions = {}): Promise<MemoryFolder> {
  const { findMemoryPlace } = await import("./memory-place.ts");
  return findMemoryPlace(options);
}
