import { type Disk, fail, ok, type Result, type TreeVersion } from "../../../spec/index.ts";
import { decodeTreeText } from "../../shared/trees/tree-path.ts";
import { maxTreeFileBytes } from "../../shared/trees/tree-version.ts";
import type { SeenCopy, TreeObservation, TreeStep } from "./decide-tree-step.ts";
import {
  asideName,
  confirmedName,
  pendingName,
  type TreeLocation,
  type TreeSurroundings,
  temporaryName,
  toReplacedName,
} from "./tree-location.ts";
import { readSettledFile } from "./tree-version-file.ts";

/** A temporary file this old was left by a process that died. */
export const abandonedAfterMs = 24 * 60 * 60 * 1000;

/** The author of what strangers did. */
export const outside = "outside";

/**
 * Takes one step. `exists` and `not-found` mean that another process was faster; whatever the failure, the next
 * observation shows where things stand.
 */
export async function applyTreeStep(
  around: TreeSurroundings,
  place: TreeLocation,
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
      // Another process may still be about to make the removal itself safe.
      const synced = around.durable ? await disk.syncDirectory(place.history) : ok();
      if (!synced.ok) return synced;
      return disk.rename(place.visible, `${place.copies}/${toReplacedName("taken", ids.next("taken"))}`);
    }
    case "drop": {
      const unmoved = await checkUnmoved(around, place, seen);
      return unmoved.ok ? removeCopies(around, place, step.names) : unmoved;
    }
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
  place: TreeLocation,
  seen: TreeObservation,
  content: Uint8Array,
): Promise<Result<void>> {
  const text = decodeTreeText(content, place.visible);
  if (!text.ok) return text;
  return withoutValue(await history.add(place, seen.newest + 1, { content, author: outside }));
}

async function putAside(around: TreeSurroundings, place: TreeLocation, name: string): Promise<Result<void>> {
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
 * Forgets stale second names. One whose file was edited before it was replaced is kept under another name instead,
 * to be adopted: that too is `exists`. Temporary files of processes that died go with them.
 */
async function forget(
  around: TreeSurroundings,
  place: TreeLocation,
  seen: TreeObservation,
  stale: readonly SeenCopy[],
): Promise<Result<void>> {
  const unmoved = await checkUnmoved(around, place, seen);
  if (!unmoved.ok) return unmoved;
  const { disk, ids } = around;
  let isEdited = false;
  for (const { name, identity, sha256 } of stale) {
    const found = identity === seen.visible?.identity ? "known" : await inspect(around, place, name, sha256);
    if (found === "unreadable") continue;
    const edited = toReplacedName("edited", ids.next("edited"));
    const forgotten = await (found === "known"
      ? disk.remove(`${place.copies}/${name}`)
      : disk.rename(`${place.copies}/${name}`, `${place.copies}/${edited}`));
    if (!forgotten.ok && forgotten.error.code !== "not-found") return forgotten;
    isEdited ||= found === "edited";
  }
  await removeAbandoned(around, place, seen);
  if (!isEdited) return ok();
  return fail("exists", `${place.visible} was edited while it was being replaced.`, { path: place.visible });
}

async function inspect(
  { disk }: TreeSurroundings,
  place: TreeLocation,
  name: string,
  sha256: string,
): Promise<"known" | "edited" | "unreadable"> {
  const file = await readSettledFile(disk, `${place.copies}/${name}`, maxTreeFileBytes);
  if (file.ok) return file.value.sha256 === sha256 ? "known" : "edited";
  if (file.error.code === "not-found") return "known";
  return file.error.code === "too-large" ? "edited" : "unreadable";
}

async function removeAbandoned(
  { disk, clock }: TreeSurroundings,
  place: TreeLocation,
  { temporary }: TreeObservation,
): Promise<void> {
  for (const name of temporary) {
    const stat = await disk.stat(`${place.copies}/${name}`);
    if (stat.ok && stat.value.modifiedMs < clock.now() - abandonedAfterMs) {
      await disk.remove(`${place.copies}/${name}`);
    }
  }
}

async function removeCopies(
  { disk }: TreeSurroundings,
  place: TreeLocation,
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

/** A stranger's file stays in place under its own identity; one that may not be linked is replaced by a copy. */
async function recordVisible(
  around: TreeSurroundings,
  place: TreeLocation,
  seen: TreeObservation,
  newest: TreeVersion,
): Promise<Result<void>> {
  const { disk, ids, durable, folders } = around;
  const made = await folders.make(place.copies, durable);
  if (!made.ok) return made;
  const synced = durable ? await syncFile(disk, place.visible) : ok();
  if (!synced.ok) return synced;
  const named = await syncVisibleName(around, place);
  if (!named.ok) return named;
  const name = confirmedName(newest.version, newest.sha256, ids.next("copy"));
  const linked = await disk.link(place.visible, `${place.copies}/${name}`);
  if (linked.ok) return durable ? disk.syncDirectory(place.copies) : ok();
  return linked.error.code === "not-found" ? linked : publishTreeCopy(around, place, seen, newest);
}

async function syncFile(disk: Disk, path: string): Promise<Result<void>> {
  const opened = await disk.open(path, "read");
  if (!opened.ok) return opened;
  const synced = await opened.value.sync();
  await opened.value.close();
  return synced;
}

/** The visible place keeps the file it has now through power loss. */
async function syncVisibleName(
  { disk, durable, folders }: TreeSurroundings,
  place: TreeLocation,
): Promise<Result<void>> {
  if (!durable) return ok();
  const made = await folders.make(place.visibleFolder, true);
  return made.ok ? disk.syncDirectory(place.visibleFolder) : made;
}

/**
 * Puts a copy of a version into the visible place, by rename, if the file that was seen there still is. The copy's
 * second name comes first.
 */
async function publishTreeCopy(
  around: TreeSurroundings,
  place: TreeLocation,
  seen: TreeObservation,
  { version, sha256 }: TreeVersion,
): Promise<Result<void>> {
  const { disk, ids, durable, folders, history } = around;
  const { visible, copies } = seen;
  const text = visible?.sha256 === sha256 ? ok(visible) : await history.read(place, version);
  if (!text.ok) return text;
  const needed = [...(copies.length === 0 ? [place.copies] : []), ...(visible ? [] : [place.visibleFolder])];
  for (const folder of needed) {
    const made = await folders.make(folder, durable);
    if (!made.ok) return made;
  }
  const id = ids.next("copy");
  const temporary = `${place.copies}/${temporaryName(id)}`;
  let outcome = await writeNew(disk, temporary, text.value.content, durable);
  if (outcome.ok) outcome = await disk.link(temporary, `${place.copies}/${pendingName(version, sha256, id)}`);
  // Another process may still be about to make the version itself safe, and it must not go before its copy.
  if (outcome.ok && durable) outcome = await disk.syncDirectory(place.history);
  if (outcome.ok && durable) outcome = await disk.syncDirectory(place.copies);
  if (outcome.ok) outcome = await checkUnmoved(around, place, seen);
  if (outcome.ok) outcome = await disk.rename(temporary, place.visible);
  if (!outcome.ok) await disk.remove(temporary);
  return outcome;
}

/** `exists` if the file seen in the visible place is no longer there, or the version seen as newest no longer newest. */
async function checkUnmoved(
  { disk }: TreeSurroundings,
  place: TreeLocation,
  { visible, newest }: TreeObservation,
): Promise<Result<void>> {
  const stat = await disk.stat(place.visible);
  if (!stat.ok && stat.error.code !== "not-found") return stat;
  const next = await disk.stat(place.version(newest + 1));
  if (!next.ok && next.error.code !== "not-found") return next;
  const isSame = (stat.ok ? stat.value.identity : undefined) === visible?.identity;
  if (isSame && !next.ok) return ok();
  return fail("exists", `${place.visible} was replaced meanwhile.`, { path: place.visible });
}

async function writeNew(
  disk: Disk,
  path: string,
  bytes: Uint8Array,
  durable: boolean,
): Promise<Result<void>> {
  const created = await disk.open(path, "create");
  if (!created.ok) return created;
  let outcome = await created.value.append(bytes);
  if (outcome.ok && durable) outcome = await created.value.sync();
  const closed = await created.value.close();
  return outcome.ok ? closed : outcome;
}
