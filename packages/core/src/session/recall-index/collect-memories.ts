import { memoryPathKind } from "../../memory/memory-path.ts";
import type { RecallDocument } from "../../recall/index.ts";
import { ok, type PalimpsestError, type Result, type Store } from "../../spec/index.ts";
import { memoryTree } from "./recall-parts.ts";

export interface CollectedMemories {
  readonly documents: readonly RecallDocument[];
  /** Paths that are gone or come anew. */
  readonly dropped: ReadonlySet<string>;
  /** The version of each memory now. */
  readonly versions: ReadonlyMap<string, number>;
  readonly problems: readonly PalimpsestError[];
}

/** What waits for a person is not found; the index and the daily logs are not memories. */
function isMemory(path: string): boolean {
  return memoryPathKind(path) === "memory";
}

/** Reads the memories whose version is not the known one. */
export async function collectMemories(
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
