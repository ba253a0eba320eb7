import {
  type Clock,
  type Disk,
  fail,
  type Ids,
  ok,
  type PalimpsestError,
  type Result,
  type TreeVersion,
} from "../../spec/index.ts";
import type { TreeStep } from "./decide-tree-step.ts";
import type { DurableFolders } from "./durable-folders.ts";
import { readSettledFile, type SettledFile } from "./settled-file.ts";
import {
  asideName,
  confirmedName,
  guardName,
  isTemporaryName,
  pendingName,
  takenName,
  temporaryName,
} from "./tree-copy-names.ts";
import type { TreeHistory } from "./tree-history.ts";
import type { TreeObservation } from "./tree-observation.ts";
import type { TreePlace } from "./tree-place.ts";
import { decodeTreeText } from "./tree-text.ts";
import { maxTreeFileBytes } from "./tree-version-file.ts";

export interface TreeSurroundings {
  readonly disk: Disk;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly durable: boolean;
  readonly folder: string;
  readonly folders: DurableFolders;
  readonly history: TreeHistory;
  /** What went wrong and stopped nothing: a visible file that could not be brought up to date, a file left out. */
  readonly onProblem: (problem: PalimpsestError) => void;
}

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
      return record(around, place, seen, step.version);
    case "publish":
      return publish(around, place, seen, step.version);
    case "take":
      return disk.rename(place.visible, `${place.copies}/${takenName(ids.next("taken"))}`);
    case "drop":
      return removeCopies(disk, place, step.names);
    case "confirm": {
      const { name, version, sha256, id } = step.copy;
      const synced = await syncVisibleName(around, place);
      if (!synced.ok) return synced;
      return disk.rename(`${place.copies}/${name}`, `${place.copies}/${confirmedName(version, sha256, id)}`);
    }
    case "sweep":
      return sweep(around, place, step.names);
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

/** A stranger's file stays in place under its own identity; one that may not be linked is replaced by a copy. */
async function record(
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
  return linked.error.code === "not-found" ? linked : publish(around, place, seen, newest);
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
  place: TreePlace,
): Promise<Result<void>> {
  if (!durable) return ok();
  const made = await folders.make(place.visibleFolder, true);
  return made.ok ? disk.syncDirectory(place.visibleFolder) : made;
}

async function publish(
  around: TreeSurroundings,
  place: TreePlace,
  { visible }: TreeObservation,
  { version, sha256 }: TreeVersion,
): Promise<Result<void>> {
  const { disk, ids, durable, folders, history } = around;
  const text = visible?.sha256 === sha256 ? ok(visible) : await history.read(place, version);
  if (!text.ok) return text;
  for (const folder of [place.copies, place.visibleFolder]) {
    const made = await folders.make(folder, durable);
    if (!made.ok) return made;
  }
  const id = ids.next("copy");
  const temporary = `${place.copies}/${temporaryName(id)}`;
  let outcome = await writeNew(disk, temporary, text.value.content, durable);
  if (outcome.ok) outcome = await disk.link(temporary, `${place.copies}/${pendingName(version, sha256, id)}`);
  if (outcome.ok && durable) outcome = await disk.syncDirectory(place.copies);
  const guard = `${place.copies}/${guardName(id)}`;
  const guarded = outcome.ok && (await disk.link(place.visible, guard)).ok;
  if (outcome.ok) outcome = await disk.rename(temporary, place.visible);
  if (!outcome.ok) await disk.remove(temporary);
  if (guarded) await dropGuard(disk, guard, visible);
  return outcome;
}

/** A guard over a file that changed since it was seen stays, to be adopted. */
async function dropGuard(disk: Disk, guard: string, seen: SettledFile | null): Promise<void> {
  const file = await readSettledFile(disk, guard, maxTreeFileBytes);
  if (file.ok && file.value.identity === seen?.identity && file.value.sha256 === seen.sha256) {
    await disk.remove(guard);
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

async function sweep(
  { disk, clock, durable }: TreeSurroundings,
  place: TreePlace,
  names: readonly string[],
): Promise<Result<void>> {
  const synced = durable ? await disk.syncDirectory(place.visibleFolder) : ok();
  if (!synced.ok && synced.error.code !== "not-found") return synced;
  const removed = await removeCopies(disk, place, names);
  if (!removed.ok) return removed;
  const left = await disk.list(place.copies);
  for (const name of left.ok ? left.value.filter(isTemporaryName) : []) {
    const stat = await disk.stat(`${place.copies}/${name}`);
    if (stat.ok && stat.value.modifiedMs < clock.now() - abandonedAfterMs) {
      await disk.remove(`${place.copies}/${name}`);
    }
  }
  return ok();
}

async function removeCopies(disk: Disk, place: TreePlace, names: readonly string[]): Promise<Result<void>> {
  for (const name of names) {
    const removed = await disk.remove(`${place.copies}/${name}`);
    if (!removed.ok && removed.error.code !== "not-found") return removed;
  }
  return ok();
}

function withoutValue(result: Result<unknown>): Result<void> {
  return result.ok ? ok() : result;
}
