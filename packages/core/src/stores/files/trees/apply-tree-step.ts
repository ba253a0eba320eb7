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
  location: TreeLocation,
  seen: TreeObservation,
  step: TreeStep,
): Promise<Result<void>> {
  const { disk, ids, history } = around;
  switch (step.step) {
    case "rest":
      return ok();
    case "adopt":
      return recordOutsideEdit(around, location, seen, step.file.content);
    case "adopt-replaced": {
      const { name, file } = step.replaced;
      const isText = file !== null && decodeTreeText(file.content, location.visible).ok;
      return isText
        ? recordOutsideEdit(around, location, seen, file.content)
        : putAside(around, location, name);
    }
    case "adopt-removal": {
      const draft = { content: new Uint8Array(0), author: outside, removed: true as const };
      return withoutValue(await history.add(location, seen.newest + 1, draft));
    }
    case "record":
      return recordVisible(around, location, seen, step.version);
    case "publish":
      return publishTreeCopy(around, location, seen, step.version);
    case "take": {
      // Another process may still be about to make the removal itself safe.
      const synced = around.durable ? await disk.syncDirectory(location.history) : ok();
      if (!synced.ok) return synced;
      return disk.rename(
        location.visible,
        `${location.copies}/${toReplacedName("taken", ids.next("taken"))}`,
      );
    }
    case "drop": {
      const unmoved = await checkUnmoved(around, location, seen);
      return unmoved.ok ? removeCopies(around, location, step.names) : unmoved;
    }
    case "confirm": {
      const { name, version, sha256, id } = step.copy;
      const synced = await syncVisibleName(around, location);
      if (!synced.ok) return synced;
      const confirmed = `${location.copies}/${confirmedName(version, sha256, id)}`;
      const renamed = await disk.rename(`${location.copies}/${name}`, confirmed);
      return renamed.ok ? forget(around, location, seen, step.stale) : renamed;
    }
    case "sweep": {
      const synced = around.durable ? await disk.syncDirectory(location.visibleFolder) : ok();
      if (!synced.ok && synced.error.code !== "not-found") return synced;
      return forget(around, location, seen, step.stale);
    }
  }
}

async function recordOutsideEdit(
  { history }: TreeSurroundings,
  location: TreeLocation,
  seen: TreeObservation,
  content: Uint8Array,
): Promise<Result<void>> {
  const text = decodeTreeText(content, location.visible);
  if (!text.ok) return text;
  return withoutValue(await history.add(location, seen.newest + 1, { content, author: outside }));
}

async function putAside(
  around: TreeSurroundings,
  location: TreeLocation,
  name: string,
): Promise<Result<void>> {
  const { disk, ids, onProblem } = around;
  const aside = `${location.copies}/${asideName(ids.next("aside"))}`;
  const moved = await disk.rename(`${location.copies}/${name}`, aside);
  if (moved.ok) {
    const says = `${location.visible} was replaced by something that is no text while the tree was changing it.`;
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
  location: TreeLocation,
  seen: TreeObservation,
  stale: readonly SeenCopy[],
): Promise<Result<void>> {
  const unmoved = await checkUnmoved(around, location, seen);
  if (!unmoved.ok) return unmoved;
  const { disk, ids } = around;
  let isEdited = false;
  for (const { name, identity, sha256 } of stale) {
    const found =
      identity === seen.visible?.identity ? "known" : await inspect(around, location, name, sha256);
    if (found === "unreadable") continue;
    const edited = toReplacedName("edited", ids.next("edited"));
    const forgotten = await (found === "known"
      ? disk.remove(`${location.copies}/${name}`)
      : disk.rename(`${location.copies}/${name}`, `${location.copies}/${edited}`));
    if (!forgotten.ok && forgotten.error.code !== "not-found") return forgotten;
    isEdited ||= found === "edited";
  }
  await removeAbandoned(around, location, seen);
  if (!isEdited) return ok();
  return fail("exists", `${location.visible} was edited while it was being replaced.`, {
    path: location.visible,
  });
}

async function inspect(
  { disk }: TreeSurroundings,
  location: TreeLocation,
  name: string,
  sha256: string,
): Promise<"known" | "edited" | "unreadable"> {
  const file = await readSettledFile(disk, `${location.copies}/${name}`, maxTreeFileBytes);
  if (file.ok) return file.value.sha256 === sha256 ? "known" : "edited";
  if (file.error.code === "not-found") return "known";
  return file.error.code === "too-large" ? "edited" : "unreadable";
}

async function removeAbandoned(
  { disk, clock }: TreeSurroundings,
  location: TreeLocation,
  { temporary }: TreeObservation,
): Promise<void> {
  for (const name of temporary) {
    const stat = await disk.stat(`${location.copies}/${name}`);
    if (stat.ok && stat.value.modifiedMs < clock.now() - abandonedAfterMs) {
      await disk.remove(`${location.copies}/${name}`);
    }
  }
}

async function removeCopies(
  { disk }: TreeSurroundings,
  location: TreeLocation,
  names: readonly string[],
): Promise<Result<void>> {
  for (const name of names) {
    const removed = await disk.remove(`${location.copies}/${name}`);
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
  location: TreeLocation,
  seen: TreeObservation,
  newest: TreeVersion,
): Promise<Result<void>> {
  const { disk, ids, durable, folders } = around;
  const made = await folders.make(location.copies, durable);
  if (!made.ok) return made;
  const synced = durable ? await syncFile(disk, location.visible) : ok();
  if (!synced.ok) return synced;
  const named = await syncVisibleName(around, location);
  if (!named.ok) return named;
  const name = confirmedName(newest.version, newest.sha256, ids.next("copy"));
  const linked = await disk.link(location.visible, `${location.copies}/${name}`);
  if (linked.ok) return durable ? disk.syncDirectory(location.copies) : ok();
  return linked.error.code === "not-found" ? linked : publishTreeCopy(around, location, seen, newest);
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
  location: TreeLocation,
): Promise<Result<void>> {
  if (!durable) return ok();
  const made = await folders.make(location.visibleFolder, true);
  return made.ok ? disk.syncDirectory(location.visibleFolder) : made;
}

/**
 * Puts a copy of a version into the visible place, by rename, if the file that was seen there still is. The copy's
 * second name comes first.
 */
async function publishTreeCopy(
  around: TreeSurroundings,
  location: TreeLocation,
  seen: TreeObservation,
  { version, sha256 }: TreeVersion,
): Promise<Result<void>> {
  const { disk, ids, durable, folders, history } = around;
  const { visible, copies } = seen;
  const text = visible?.sha256 === sha256 ? ok(visible) : await history.read(location, version);
  if (!text.ok) return text;
  const needed = [
    ...(copies.length === 0 ? [location.copies] : []),
    ...(visible ? [] : [location.visibleFolder]),
  ];
  for (const folder of needed) {
    const made = await folders.make(folder, durable);
    if (!made.ok) return made;
  }
  const id = ids.next("copy");
  const temporary = `${location.copies}/${temporaryName(id)}`;
  let outcome = await writeNew(disk, temporary, text.value.content, durable);
  if (outcome.ok)
    outcome = await disk.link(temporary, `${location.copies}/${pendingName(version, sha256, id)}`);
  // Another process may still be about to make the version itself safe, and it must not go before its copy.
  if (outcome.ok && durable) outcome = await disk.syncDirectory(location.history);
  if (outcome.ok && durable) outcome = await disk.syncDirectory(location.copies);
  if (outcome.ok) outcome = await checkUnmoved(around, location, seen);
  if (outcome.ok) outcome = await disk.rename(temporary, location.visible);
  if (!outcome.ok) await disk.remove(temporary);
  return outcome;
}

/** `exists` if the file seen in the visible place is no longer there, or the version seen as newest no longer newest. */
async function checkUnmoved(
  { disk }: TreeSurroundings,
  location: TreeLocation,
  { visible, newest }: TreeObservation,
): Promise<Result<void>> {
  const stat = await disk.stat(location.visible);
  if (!stat.ok && stat.error.code !== "not-found") return stat;
  const next = await disk.stat(location.version(newest + 1));
  if (!next.ok && next.error.code !== "not-found") return next;
  const isSame = (stat.ok ? stat.value.identity : undefined) === visible?.identity;
  if (isSame && !next.ok) return ok();
  return fail("exists", `${location.visible} was replaced meanwhile.`, { path: location.visible });
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
