import { type Disk, ok, type Result, type TreeVersion } from "../../spec/index.ts";
import { shownVersion } from "./decide-tree-step.ts";
import { readSettledFile, type SettledFile } from "./settled-file.ts";
import {
  confirmedName,
  parseCopyName,
  pendingName,
  temporaryName,
  toReplacedName,
} from "./tree-copy-names.ts";
import type { TreeObservation } from "./tree-observation.ts";
import type { TreePlace } from "./tree-place.ts";
import type { TreeSurroundings } from "./tree-surroundings.ts";
import { maxTreeFileBytes } from "./tree-version-file.ts";

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
 * Puts a copy of a version into the visible place, by rename. Its second name comes first, and another one for what
 * is there now: if that turns out to have been changed since it was seen, it is not lost and will be adopted.
 */
export async function publishTreeCopy(
  around: TreeSurroundings,
  place: TreePlace,
  seen: TreeObservation,
  { version, sha256 }: TreeVersion,
): Promise<Result<void>> {
  const { disk, ids, durable, folders, history } = around;
  const { visible } = seen;
  const text = visible?.sha256 === sha256 ? ok(visible) : await history.read(place, version);
  if (!text.ok) return text;
  const made = visible === null ? await folders.make(place.visibleFolder, durable) : ok();
  if (!made.ok) return made;
  const id = ids.next("copy");
  const temporary = `${place.copies}/${temporaryName(id)}`;
  let outcome = await writeNew(disk, temporary, text.value.content, durable);
  if (outcome.ok) outcome = await disk.link(temporary, `${place.copies}/${pendingName(version, sha256, id)}`);
  // Another process may still be about to make the version itself safe, and it must not go before its copy.
  if (outcome.ok && durable) outcome = await disk.syncDirectory(place.history);
  if (outcome.ok && durable) outcome = await disk.syncDirectory(place.copies);
  const guard = `${place.copies}/${toReplacedName("guard", shownVersion(seen), id)}`;
  const isGuarded = outcome.ok && (await disk.link(place.visible, guard)).ok;
  if (outcome.ok) outcome = await disk.rename(temporary, place.visible);
  if (!outcome.ok) await disk.remove(temporary);
  if (isGuarded) await dropGuard(disk, guard, visible);
  if (outcome.ok) await guardNewcomers(around, place, seen, id);
  return outcome;
}

/** A guard over a file that changed since it was seen stays, to be adopted. */
async function dropGuard(disk: Disk, guard: string, seen: SettledFile | null): Promise<void> {
  const file = await readSettledFile(disk, guard, maxTreeFileBytes);
  if (file.ok && file.value.identity === seen?.identity && file.value.sha256 === seen.sha256) {
    await disk.remove(guard);
  }
}

/** Copies of other processes that arrived after the look may have been visible, edited and replaced since the guard. */
async function guardNewcomers(
  { disk, ids }: TreeSurroundings,
  place: TreePlace,
  seen: TreeObservation,
  ownId: string,
): Promise<void> {
  const names = await disk.list(place.copies);
  const arrived = seen.copies.filter(({ isComing }) => !isComing);
  const known = new Set([ownId, ...arrived.map(({ id }) => id)]);
  for (const name of names.ok ? names.value : []) {
    const copy = parseCopyName(name);
    if (copy === null || known.has(copy.id)) continue;
    const file = await readSettledFile(disk, `${place.copies}/${name}`, maxTreeFileBytes);
    if (!file.ok || file.value.sha256 === copy.sha256) continue;
    const guard = toReplacedName("guard", copy.version, ids.next("guard"));
    await disk.link(`${place.copies}/${name}`, `${place.copies}/${guard}`);
  }
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
