import type { Change, ChangeSet } from "../../context/dream/change-set.ts";
import { type FileTree, ok, type Result } from "../../spec/index.ts";
import { fateOf, undoSourceOf } from "./file-fate.ts";

/**
 * Takes back every change that was made, each by compare-and-swap; what an interrupted try has taken back stays so.
 * Gives the files that somebody has changed after the dream: these are left alone.
 */
export async function undoChanges(
  memory: FileTree,
  { id, changes }: Pick<ChangeSet, "id" | "changes">,
  author: string,
): Promise<Result<readonly string[]>> {
  const kept: string[] = [];
  for (const change of changes.toReversed()) {
    const fate = await fateOf(memory, id, change);
    if (!fate.ok) return fate;
    const { made, undone, newest } = fate.value;
    if (made === undefined || undone !== undefined) continue;
    const isOurs = newest?.version === made.version;
    const restored = isOurs ? await restore(memory, id, change, made.version, author) : ok(false);
    if (!restored.ok) return restored;
    if (!restored.value) kept.push(change.path);
  }
  return ok(kept.sort());
}

/** False where somebody was faster. */
async function restore(
  memory: FileTree,
  id: string,
  { path, expect: before }: Change,
  made: number,
  author: string,
): Promise<Result<boolean>> {
  const former = before === 0 ? null : await memory.read(path, before);
  if (former?.ok === false && former.error.code !== "not-found") return former;
  const given = { author, source: undoSourceOf(id), expect: made };
  const restored = former?.ok
    ? await memory.write(path, former.value.text, given)
    : await memory.remove(path, given);
  if (restored.ok) return ok(true);
  const wasFaster = restored.error.code === "conflict" || restored.error.code === "not-found";
  return wasFaster ? ok(false) : restored;
}
