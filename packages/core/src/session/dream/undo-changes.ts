import { type Change, type ChangeSet, toMakingOrder } from "../../layers/6-dream/rules/change-set.ts";
import { mergeMemories } from "../../memory/merge-memories.ts";
import { type FileTree, ok, type Result, type TreeVersion } from "../../spec/index.ts";

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

/** By these the versions of one dream are known as a group, and those that take it back. */
export const sourceOf = (id: string) => `dream:${id}`;
const undoSourceOf = (id: string) => `undo:${sourceOf(id)}`;

/** A person may also have taken it back as a group of versions, by `memory revert`. */
const isUndoSource = (source: string | undefined, id: string) =>
  source === undoSourceOf(id) || source === `revert ${sourceOf(id)}`;

/** The state of one change, as the file's own history tells it. */
interface FileFate {
  /** The version that the dream made; absent: it has not made one. */
  readonly made?: TreeVersion;
  /** The version that took it back. */
  readonly undone?: TreeVersion;
  readonly newest?: TreeVersion;
}

/** Versions up to the one that the change was made for are not looked at: an earlier try may have left some. */
export async function fateOf(memory: FileTree, id: string, change: Change): Promise<Result<FileFate>> {
  const history = await memory.history(change.path);
  if (!history.ok) return history;
  const since = history.value.filter(({ version }) => version > change.expect);
  const made = since.find(({ source }) => source === sourceOf(id));
  const undone =
    made && since.find(({ source, version }) => isUndoSource(source, id) && version > made.version);
  const newest = history.value.at(-1);
  return ok({ ...(made && { made }), ...(undone && { undone }), ...(newest && { newest }) });
}

/** Whether the file is still as the change found it. */
export function isAsSeen({ newest }: FileFate, { expect }: Change): boolean {
  const isPresent = newest !== undefined && newest.removed !== true;
  return isPresent ? newest.version === expect : expect === 0 || newest?.version === expect;
}
