import type {
  Clock,
  Embeddings,
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
  /** In place of files: a database, as `postgres://…`. Connections are closed with the folder. */
  readonly databaseUrl?: string;
  /** The project's slug. */
  readonly project?: string;
  /** The data root; `PALIMPSEST_HOME` and its defaults when absent. */
  readonly home?: string;
  /** Where the project's files are, also for telling which paths in memories are gone. */
  readonly cwd?: string;
  readonly clock?: Clock;
  readonly ids?: Ids;
  /** Says whether a write waits in quarantine; absent: the engine's rules, on the write's evidence. `false`: none waits. */
  readonly judgeMemory?: JudgeMemory | false;
  /** Takes secrets out of what is written; absent: the engine's rules. `false`: nothing is looked for. */
  readonly maskSecrets?: MaskSecrets | false;
  /**
   * Finds what is remembered; absent: an index of memories, notes and past sessions, where the store has files. `false`,
   * and for `dir`: all memories are read for each search.
   */
  readonly search?: SearchMemories | false;
  /** With it the index is searched by meaning too. */
  readonly embeddings?: Embeddings;
  /** Problems that stopped nothing: an index that could not be written. */
  readonly onProblem?: (problem: PalimpsestError) => void;
}

/** Opens a project's memories. Throws a `PalimpsestError` that says what is wrong and what to do. */
export async function openMemory(options: OpenMemoryOptions = {}): Promise<MemoryFolder> {
  const { openProjectMemory } = await import("./open-project-memory.ts");
  return openProjectMemory(options);
}
