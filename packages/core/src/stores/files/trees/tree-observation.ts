import {
  type Disk,
  type ErrorCode,
  fail,
  ok,
  type PalimpsestError,
  type Result,
} from "../../../spec/index.ts";
import type { TreeFileState } from "../../shared/trees/tree-refusals.ts";
import { maxTreeFileBytes } from "../../shared/trees/tree-version.ts";
import { readSettledFile, type SettledFile } from "./settled-file.ts";
import {
  type CopyName,
  isTemporaryName,
  parseCopyName,
  parseReplacedName,
  type ReplacedName,
  temporaryName,
} from "./tree-copy-names.ts";
import type { TreeHistory } from "./tree-history.ts";
import { checkPlace, type TreeLocation } from "./tree-location.ts";

export interface SeenCopy extends CopyName {
  readonly identity: string;
  /** Still has its temporary name: its rename to the visible place may come at any time. */
  readonly isComing: boolean;
}

/** What the tree replaced or moved away; without `file` it is no text: a link, a folder, or over the limit. */
export interface ReplacedFile extends ReplacedName {
  readonly file: SettledFile | null;
  /** It is a copy of the tree, or has the text of one of the last versions. */
  readonly isInHistory: boolean;
}

/** Everything about one file of a tree at about one moment. */
export interface TreeObservation extends TreeFileState {
  readonly visible: SettledFile | null;
  readonly damage: PalimpsestError | null;
  readonly copies: readonly SeenCopy[];
  readonly replaced: readonly ReplacedFile[];
  /** Names of files that are being written, or were left behind. */
  readonly temporary: readonly string[];
  /** Equal for two observations that saw the same; two equal ones in a row are a snapshot. */
  readonly signature: string;
}

const maxTries = 50;

/** A copy that was on its way while this many versions were made is not expected any more. */
const recentVersions = 200;
const noText: ReadonlySet<ErrorCode> = new Set(["invalid-path", "is-directory", "too-large"]);

/**
 * Looks at the newest version, then the visible file, then the copies, in this order. So whoever then succeeds in
 * making the next version has seen the visible file while the newest was the newest; and since a copy's second name
 * is made before the copy becomes visible, a copy is not taken for a stranger's file, unless things move meanwhile:
 * then a second look differs.
 */
export async function observeTree(
  disk: Disk,
  folder: string,
  history: TreeHistory,
  place: TreeLocation,
): Promise<Result<TreeObservation>> {
  for (let tries = 0; tries < maxTries; tries += 1) {
    const checked = await checkPlace(disk, folder, place);
    if (!checked.ok) return checked;
    const newest = await history.newest(place);
    if (!newest.ok) return newest;
    const header = newest.value === 0 ? ok(null) : await history.header(place, newest.value);
    const damage = header.ok ? null : header.error;
    if (damage?.code === "not-found") continue;
    if (!header.ok && damage?.code !== "corrupt" && damage?.code !== "invalid-path") return header;
    const sight =
      checked.value === null ? await look(disk, place) : ok({ visible: null, blocked: checked.value });
    if (!sight.ok) return sight;
    const copies = await readCopies(disk, history, place, newest.value);
    if (!copies.ok) return copies;
    if (copies.value === null) continue;
    const value = header.ok ? header.value : null;
    const seen = { ...sight.value, newest: newest.value, header: value, damage, ...copies.value };
    return ok({ ...seen, signature: sign(seen) });
  }
  return fail("io", `${place.visible} changes faster than it can be looked at.`, {
    path: place.visible,
    fix: "Try again.",
    retryable: true,
  });
}

type Sight = Pick<TreeObservation, "visible" | "blocked">;

async function look(disk: Disk, place: TreeLocation): Promise<Result<Sight>> {
  const visible = await readSettledFile(disk, place.visible, maxTreeFileBytes);
  if (visible.ok) return ok({ visible: visible.value, blocked: null });
  const { code } = visible.error;
  if (code === "not-found") return ok({ visible: null, blocked: null });
  return code === "is-directory" ? ok({ visible: null, blocked: visible.error }) : visible;
}

/** `null` if something went away between listing and looking. */
async function readCopies(
  disk: Disk,
  history: TreeHistory,
  place: TreeLocation,
  newest: number,
): Promise<Result<Pick<TreeObservation, "copies" | "replaced" | "temporary"> | null>> {
  const names = await disk.list(place.copies);
  if (!names.ok)
    return names.error.code === "not-found" ? ok({ copies: [], replaced: [], temporary: [] }) : names;
  const all = new Set(names.value);
  const copies: SeenCopy[] = [];
  for (const copy of names.value.map(parseCopyName).filter((parsed) => parsed !== null)) {
    const stat = await disk.stat(`${place.copies}/${copy.name}`);
    if (!stat.ok) return stat.error.code === "not-found" ? ok(null) : stat;
    const { identity } = stat.value;
    copies.push({ ...copy, identity, isComing: all.has(temporaryName(copy.id)) });
  }
  const replaced: ReplacedFile[] = [];
  for (const away of names.value.map(parseReplacedName).filter((parsed) => parsed !== null)) {
    const read = await readSettledFile(disk, `${place.copies}/${away.name}`, maxTreeFileBytes);
    if (!read.ok && read.error.code === "not-found") return ok(null);
    if (!read.ok && !noText.has(read.error.code)) return read;
    const file = read.ok ? read.value : null;
    const isCopy = file !== null && copies.some((copy) => isCopyOf(copy, file, newest));
    const isInHistory = isCopy || (file !== null && (await hasRecentText(history, place, file, newest)));
    replaced.push({ ...away, file, isInHistory });
  }
  return ok({ copies, replaced, temporary: names.value.filter(isTemporaryName) });
}

/** A copy of a version that the history has lost counts as a stranger's text: so it is adopted, not overwritten. */
export function isCopyOf(copy: SeenCopy, file: SettledFile, newest: number): boolean {
  return copy.identity === file.identity && copy.sha256 === file.sha256 && copy.version <= newest;
}

async function hasRecentText(
  history: TreeHistory,
  place: TreeLocation,
  { sha256 }: SettledFile,
  newest: number,
): Promise<boolean> {
  for (let number = newest; number > Math.max(0, newest - recentVersions); number -= 1) {
    const header = await history.header(place, number);
    if (header.ok && !header.value.removed && header.value.sha256 === sha256) return true;
  }
  return false;
}

function sign({ visible, blocked, newest, copies, replaced }: Omit<TreeObservation, "signature">): string {
  return JSON.stringify([
    visible && [visible.identity, visible.modifiedMs, visible.sha256],
    blocked?.code,
    newest,
    copies.map(({ name, identity, isComing }) => [name, identity, isComing]),
    replaced.map(({ name, file }) => [name, file?.sha256]),
  ]);
}
