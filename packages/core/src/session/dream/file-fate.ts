import type { Change } from "../../layers/6-dream/rules/change-set.ts";
import { type FileTree, ok, type Result, type TreeVersion } from "../../spec/index.ts";

/** By these the versions of one dream are known as a group, and those that take it back. */
export const sourceOf = (id: string) => `dream:${id}`;
export const undoSourceOf = (id: string) => `undo:${sourceOf(id)}`;

/** A person may also have taken it back as a group of versions, by `memory revert`. */
const isUndoSource = (source: string | undefined, id: string) =>
  source === undoSourceOf(id) || source === `revert ${sourceOf(id)}`;

/** What has become of one change, as the file's own history tells it. */
export interface FileFate {
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
