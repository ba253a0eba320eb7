import { isDreamSession } from "../../layers/6-dream/rules/dream-task.ts";
import { memoryPathKind } from "../../memory/check-memory.ts";
import type { RecallDocument } from "../../recall/index.ts";
import {
  type LogSize,
  ok,
  type PalimpsestError,
  type RecallBase,
  type RecallDraft,
  type RecallDrop,
  type RecallIndex,
  type RecallProgress,
  type Result,
  type Store,
} from "../../spec/index.ts";
import { memoryTree } from "./recall-parts.ts";

export interface CollectedChanges {
  /** Absent where there is nothing to publish. */
  readonly change?: { readonly draft: RecallDraft; readonly drop: RecallDrop };
  readonly added: number;
  readonly removed: number;
  readonly problems: readonly PalimpsestError[];
  /** There is more: collect again once this is published. */
  readonly isMore: boolean;
}

/** Differences from the index, as seen from outside the logs. */
export interface SeenChanges {
  readonly memories: CollectedMemories;
  /** Sessions in the index that are there no longer. */
  readonly gone: readonly string[];
  /** Logs of which something is not in the index, or that are no longer as they were read. */
  readonly unread: readonly LogSize[];
}

/**
 * Additions, removals and changes since the progress of the base, of everything that was written when this is called:
 * each memory's version and each log's size and time are looked at. What dreams say to themselves is not taken in.
 */
export async function collectChanges(
  store: Store,
  index: RecallIndex,
  base: RecallBase,
  signal?: AbortSignal,
): Promise<Result<CollectedChanges>> {
  const { progress, isDamaged } = base;
  const memories = await collectMemories(store, progress.memories);
  if (!memories.ok) return memories;
  const sizes = await (store.logs.sizes?.() ?? store.logs.list());
  if (!sizes.ok) return sizes;
  const logs = sizes.value.filter(({ session }) => !isDreamSession(session));
  const present = new Set(logs.map(({ session }) => session));
  const gone = [...progress.sessions.keys()].filter((session) => !present.has(session));
  const unread = logs.filter((size) => !isRead(size, progress));
  const { documents, dropped, problems } = memories.value;
  if (!isDamaged && documents.length + dropped.size + gone.length + unread.length === 0)
    return ok({ added: 0, removed: 0, problems, isMore: false });
  const { readChanges } = await import("./read-changes.ts");
  const draft = await index.draft(base);
  return readChanges(store, base, { memories: memories.value, gone, unread }, draft, signal);
}

function isRead({ session, bytes, modifiedAt }: LogSize, { sessions }: RecallProgress): boolean {
  const known = sessions.get(session);
  return known?.bytes === bytes && known.modifiedAt === modifiedAt;
}

interface CollectedMemories {
  readonly documents: readonly RecallDocument[];
  /** Paths that are gone or come anew. */
  readonly dropped: ReadonlySet<string>;
  /** The version of each memory now. */
  readonly versions: ReadonlyMap<string, number>;
  readonly problems: readonly PalimpsestError[];
}

/** Files that wait for a person are not found; the index and the daily logs are not memories. */
function isMemory(path: string): boolean {
  return memoryPathKind(path) === "memory";
}

/** Reads the memories whose version is not the known one. */
async function collectMemories(
  store: Store,
  known: ReadonlyMap<string, number>,
): Promise<Result<CollectedMemories>> {
  const tree = store.tree(memoryTree);
  const listed = await tree.list();
  if (!listed.ok) return listed;
  const versions = new Map<string, number>();
  const documents: RecallDocument[] = [];
  const problems: PalimpsestError[] = [];
  for (const { path, version } of listed.value.filter((one) => isMemory(one.path))) {
    if (known.get(path) === version) {
      versions.set(path, version);
      continue;
    }
    const file = await tree.read(path);
    if (file.ok) {
      const { toMemoryDocument } = await import("./memory-document.ts");
      documents.push(toMemoryDocument(file.value));
      versions.set(path, file.value.version.version);
    } else if (file.error.code !== "not-found") problems.push(file.error);
  }
  const dropped = new Set([...known.keys()].filter((path) => versions.get(path) !== known.get(path)));
  return ok({ documents, dropped, versions, problems });
}
