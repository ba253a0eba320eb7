import { type Disk, fail, ok, type Result, type TreeVersion } from "../../../spec/index.ts";
import { confirmedName, pendingName, temporaryName } from "./tree-copy-names.ts";
import type { TreeObservation } from "./tree-observation.ts";
import type { TreePlace } from "./tree-place.ts";
import type { TreeSurroundings } from "./tree-surroundings.ts";

/** A stranger's file stays in place under its own identity; one that may not be linked is replaced by a copy. */
export async function recordVisible(
  around: TreeSurroundings,
  place: TreePlace,
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
export async function syncVisibleName(
  { disk, durable, folders }: TreeSurroundings,
  place: TreePlace,
): Promise<Result<void>> {
  if (!durable) return ok();
  const made = await folders.make(place.visibleFolder, true);
  return made.ok ? disk.syncDirectory(place.visibleFolder) : made;
}

/**
 * Puts a copy of a version into the visible place, by rename, if the file that was seen there still is. The copy's
 * second name comes first.
 */
export async function publishTreeCopy(
  around: TreeSurroundings,
  place: TreePlace,
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
export async function checkUnmoved(
  { disk }: TreeSurroundings,
  place: TreePlace,
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
