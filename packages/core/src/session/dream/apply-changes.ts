import { type Change, type ChangeSet, toMakingOrder } from "../../layers/6-dream/rules/change-set.ts";
import { type FileTree, ok, type Result } from "../../spec/index.ts";
import type { ReviewReason } from "./dream-record.ts";
import { fateOf, isAsSeen, sourceOf } from "./file-fate.ts";

/** The files that others have changed since a change set was made. */
export async function findConflicts(
  memory: FileTree,
  { id, changes }: Pick<ChangeSet, "id" | "changes">,
): Promise<Result<readonly ReviewReason[]>> {
  const conflicts: ReviewReason[] = [];
  for (const change of changes) {
    const fate = await fateOf(memory, id, change);
    if (!fate.ok) return fate;
    if (!isAsSeen(fate.value, change)) conflicts.push(toConflict(change.path));
  }
  return ok(conflicts);
}

/**
 * Makes every change that is not made yet, each by compare-and-swap; what an interrupted try has made stays. Stops at
 * the first file that somebody else has changed, and names it.
 */
export async function applyChanges(
  memory: FileTree,
  changeSet: Pick<ChangeSet, "id" | "changes">,
): Promise<Result<ReviewReason | null>> {
  const { id } = changeSet;
  for (const change of toMakingOrder(changeSet)) {
    const fate = await fateOf(memory, id, change);
    if (!fate.ok) return fate;
    if (fate.value.made !== undefined) continue;
    const made = await makeChange(memory, id, change);
    if (made.ok) continue;
    const isConflict = made.error.code === "conflict" || made.error.code === "not-found";
    return isConflict ? ok(toConflict(change.path)) : made;
  }
  return ok(null);
}

function makeChange(memory: FileTree, id: string, change: Change) {
  const given = { author: "dream", source: sourceOf(id), expect: change.expect };
  return change.kind === "write"
    ? memory.write(change.path, change.text, given)
    : memory.remove(change.path, given);
}

function toConflict(path: string): ReviewReason {
  return { guard: "conflict", path, message: `${path} was changed after the dream had read it.` };
}
