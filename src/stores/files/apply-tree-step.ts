import { fail, ok, type Result } from "../../spec/index.ts";
import { shownVersion, type TreeStep } from "./decide-tree-step.ts";
import { publishTreeCopy, recordVisible, syncVisibleName } from "./publish-tree-copy.ts";
import { asideName, confirmedName, toReplacedName } from "./tree-copy-names.ts";
import type { TreeObservation } from "./tree-observation.ts";
import type { TreePlace } from "./tree-place.ts";
import type { TreeSurroundings } from "./tree-surroundings.ts";
import { decodeTreeText } from "./tree-text.ts";

/** A temporary file this old was left by a process that died. */
export const abandonedAfterMs = 24 * 60 * 60 * 1000;

const outside = "outside";

/**
 * Takes one step. `exists` and `not-found` mean that another process was faster; whatever the failure, the next
 * observation shows where things stand.
 */
export async function applyTreeStep(
  around: TreeSurroundings,
  place: TreePlace,
  seen: TreeObservation,
  step: TreeStep,
): Promise<Result<void>> {
  const { disk, ids, history } = around;
  switch (step.step) {
    case "rest":
      return ok();
    case "adopt":
      return adopt(around, place, seen, step.file.content);
    case "adopt-replaced": {
      const { name, file } = step.replaced;
      const isText = file !== null && decodeTreeText(file.content, place.visible).ok;
      return isText ? adopt(around, place, seen, file.content) : putAside(around, place, name);
    }
    case "adopt-removal": {
      const draft = { content: new Uint8Array(0), author: outside, removed: true as const };
      return withoutValue(await history.add(place, seen.newest + 1, draft));
    }
    case "record":
      return recordVisible(around, place, seen, step.version);
    case "publish":
      return publishTreeCopy(around, place, seen, step.version);
    case "take": {
      const taken = toReplacedName("taken", shownVersion(seen), ids.next("taken"));
      return disk.rename(place.visible, `${place.copies}/${taken}`);
    }
    case "drop":
      return removeCopies(around, place, step.names);
    case "confirm": {
      const { name, version, sha256, id } = step.copy;
      const synced = await syncVisibleName(around, place);
      if (!synced.ok) return synced;
      const confirmed = `${place.copies}/${confirmedName(version, sha256, id)}`;
      const renamed = await disk.rename(`${place.copies}/${name}`, confirmed);
      return renamed.ok ? forget(around, place, seen, step.stale) : renamed;
    }
    case "sweep": {
      const synced = around.durable ? await disk.syncDirectory(place.visibleFolder) : ok();
      if (!synced.ok && synced.error.code !== "not-found") return synced;
      return forget(around, place, seen, step.stale);
    }
  }
}

async function adopt(
  { history }: TreeSurroundings,
  place: TreePlace,
  seen: TreeObservation,
  content: Uint8Array,
): Promise<Result<void>> {
  const text = decodeTreeText(content, place.visible);
  if (!text.ok) return text;
  return withoutValue(await history.add(place, seen.newest + 1, { content, author: outside }));
}

async function putAside(around: TreeSurroundings, place: TreePlace, name: string): Promise<Result<void>> {
  const { disk, ids, onProblem } = around;
  const aside = `${place.copies}/${asideName(ids.next("aside"))}`;
  const moved = await disk.rename(`${place.copies}/${name}`, aside);
  if (moved.ok) {
    const says = `${place.visible} was replaced by something that is no text while the tree was changing it.`;
    onProblem(fail("corrupt", says, { path: aside, fix: `It is kept in ${aside}.` }).error);
  }
  return moved;
}

/**
 * Removes stale second names, if the visible file is still the one seen before them: only then is none of theirs in
 * its place. Temporary files of processes that died go with them.
 */
async function forget(
  around: TreeSurroundings,
  place: TreePlace,
  seen: TreeObservation,
  stale: readonly string[],
): Promise<Result<void>> {
  const { disk, clock } = around;
  const visible = await disk.stat(place.visible);
  if ((visible.ok ? visible.value.identity : undefined) !== seen.visible?.identity) return ok();
  const removed = await removeCopies(around, place, stale);
  if (!removed.ok) return removed;
  for (const name of seen.temporary) {
    const stat = await disk.stat(`${place.copies}/${name}`);
    if (stat.ok && stat.value.modifiedMs < clock.now() - abandonedAfterMs) {
      await disk.remove(`${place.copies}/${name}`);
    }
  }
  return ok();
}

async function removeCopies(
  { disk }: TreeSurroundings,
  place: TreePlace,
  names: readonly string[],
): Promise<Result<void>> {
  for (const name of names) {
    const removed = await disk.remove(`${place.copies}/${name}`);
    if (!removed.ok && removed.error.code !== "not-found") return removed;
  }
  return ok();
}

function withoutValue(result: Result<unknown>): Result<void> {
  return result.ok ? ok() : result;
}
