import { type Change, type ChangeSet, toMakingOrder } from "../../layers/6-dream/rules/change-set.ts";
import { mergeMemories } from "../../memory/merge-memories.ts";
import { type FileTree, ok, type Result, type TreeVersion } from "../../spec/index.ts";
import { fateOf, undoSourceOf } from "./file-fate.ts";

/**
 * Takes back every change that was made, each by compare-and-swap; what an interrupted try has taken back stays so.
 * What somebody has changed after the dream stays changed. Gives the files where the two meet: these are left alone.
 */
export async function undoChanges(
  memory: FileTree,
  changeSet: Pick<ChangeSet, "id" | "changes">,
  author: string,
): Promise<Result<readonly string[]>> {
  const { id } = changeSet;
  const kept: string[] = [];
  for (const change of toMakingOrder(changeSet).toReversed()) {
    const fate = await fateOf(memory, id, change);
    if (!fate.ok) return fate;
    const { made, undone, newest = made } = fate.value;
    if (made === undefined || newest === undefined || undone !== undefined) continue;
    const words = { author, source: undoSourceOf(id), expect: newest.version };
    const restored = await restore(memory, change, { made, newest }, words);
    if (!restored.ok) return restored;
    if (!restored.value) kept.push(change.path);
  }
  return ok(kept.sort());
}

interface Words {
  readonly author: string;
  readonly source: string;
  readonly expect: number;
}

/** False where the same lines were changed since, or somebody was faster. */
async function restore(
  memory: FileTree,
  { path, expect: before }: Change,
  { made, newest }: { readonly made: TreeVersion; readonly newest: TreeVersion },
  words: Words,
): Promise<Result<boolean>> {
  const states: (string | null)[] = [];
  for (const version of [before, made.version, newest.version]) {
    const state = await textAt(memory, path, version);
    if (!state.ok) return state;
    states.push(state.value);
  }
  const [former = null, dreamt = null, present = null] = states;
  const text = mergeMemories(path, dreamt, present, former);
  if (text === undefined) return ok(false);
  if (text === present) return ok(true);
  const restored = text === null ? await memory.remove(path, words) : await memory.write(path, text, words);
  if (restored.ok) return ok(true);
  const wasFaster = restored.error.code === "conflict" || restored.error.code === "not-found";
  return wasFaster ? ok(false) : restored;
}

/** `null` where the file is not there in that version. */
async function textAt(memory: FileTree, path: string, version: number): Promise<Result<string | null>> {
  if (version === 0) return ok(null);
  const read = await memory.read(path, version);
  if (read.ok) return ok(read.value.text);
  return read.error.code === "not-found" ? ok(null) : read;
}
