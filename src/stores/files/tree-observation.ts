import {
  type Disk,
  type ErrorCode,
  fail,
  ok,
  type PalimpsestError,
  type Result,
  type TreeVersion,
} from "../../spec/index.ts";
import { readSettledFile, type SettledFile } from "./settled-file.ts";
import { type CopyName, parseCopyName, parseReplacedName, temporaryName } from "./tree-copy-names.ts";
import type { TreeHistory } from "./tree-history.ts";
import { checkPlace, type TreePlace } from "./tree-place.ts";
import { maxTreeFileBytes } from "./tree-version-file.ts";

export interface SeenCopy extends CopyName {
  readonly identity: string;
  readonly links: number;
  /** Still has its temporary name: its rename to the visible place may come at any time. */
  readonly isComing: boolean;
}

/** What the tree replaced or moved away; without `file` it is no text: a link, a folder, or over the limit. */
export interface ReplacedFile {
  readonly name: string;
  readonly by: "guard" | "taken";
  readonly file: SettledFile | null;
}

/** Everything about one file of a tree at about one moment. */
export interface TreeObservation {
  readonly visible: SettledFile | null;
  /** Something other than a file that stands where the visible file would be. */
  readonly blocked: PalimpsestError | null;
  /** The highest version number, 0 if there is none. */
  readonly newest: number;
  /** What it says; `null` if there is none or it is damaged. */
  readonly header: TreeVersion | null;
  readonly damage: PalimpsestError | null;
  readonly copies: readonly SeenCopy[];
  readonly replaced: readonly ReplacedFile[];
  /** Equal for two observations that saw the same; two equal ones in a row are a snapshot. */
  readonly signature: string;
}

const maxTries = 50;
const noText: ReadonlySet<ErrorCode> = new Set(["invalid-path", "is-directory", "too-large"]);

/**
 * Looks at the visible file, then the newest version, then the copies, in this order. A copy's second name is made
 * before the copy becomes visible, and whatever is visible is accounted for before a version is put on top: so a
 * copy is not taken for a stranger's file unless things move meanwhile, and then a second look differs.
 */
export async function observeTree(
  disk: Disk,
  folder: string,
  history: TreeHistory,
  place: TreePlace,
): Promise<Result<TreeObservation>> {
  for (let tries = 0; tries < maxTries; tries += 1) {
    const sight = await look(disk, folder, place);
    if (!sight.ok) return sight;
    const newest = await history.newest(place);
    if (!newest.ok) return newest;
    const header = newest.value === 0 ? ok(null) : await history.header(place, newest.value);
    const damage = header.ok ? null : header.error;
    if (damage?.code === "not-found") continue;
    if (!header.ok && damage?.code !== "corrupt" && damage?.code !== "invalid-path") return header;
    const copies = await readCopies(disk, place.copies);
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

async function look(disk: Disk, folder: string, place: TreePlace): Promise<Result<Sight>> {
  const checked = await checkPlace(disk, folder, place);
  if (!checked.ok) return checked;
  if (checked.value !== null) return ok({ visible: null, blocked: checked.value });
  const visible = await readSettledFile(disk, place.visible, maxTreeFileBytes);
  if (visible.ok) return ok({ visible: visible.value, blocked: null });
  const { code } = visible.error;
  if (code === "not-found") return ok({ visible: null, blocked: null });
  return code === "is-directory" ? ok({ visible: null, blocked: visible.error }) : visible;
}

/** `null` if something went away between listing and looking. */
async function readCopies(
  disk: Disk,
  folder: string,
): Promise<Result<Pick<TreeObservation, "copies" | "replaced"> | null>> {
  const names = await disk.list(folder);
  if (!names.ok) return names.error.code === "not-found" ? ok({ copies: [], replaced: [] }) : names;
  const all = new Set(names.value);
  const copies: SeenCopy[] = [];
  const replaced: ReplacedFile[] = [];
  for (const name of names.value) {
    const copy = parseCopyName(name);
    const by = parseReplacedName(name);
    if (copy !== null) {
      const stat = await disk.stat(`${folder}/${name}`);
      if (!stat.ok) return stat.error.code === "not-found" ? ok(null) : stat;
      const { identity, links } = stat.value;
      copies.push({ ...copy, identity, links, isComing: all.has(temporaryName(copy.id)) });
    } else if (by !== null) {
      const file = await readSettledFile(disk, `${folder}/${name}`, maxTreeFileBytes);
      if (!file.ok && file.error.code === "not-found") return ok(null);
      if (!file.ok && !noText.has(file.error.code)) return file;
      replaced.push({ name, by, file: file.ok ? file.value : null });
    }
  }
  return ok({ copies, replaced });
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
