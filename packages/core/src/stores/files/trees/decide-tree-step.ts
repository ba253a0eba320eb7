import {
  type Disk,
  type ErrorCode,
  fail,
  ok,
  type PalimpsestError,
  type Result,
  type TreeVersion,
} from "../../../spec/index.ts";
import { maxTreeFileBytes, type TreeFileState } from "../../shared/trees/tree-version.ts";
import type { TreeHistory } from "./tree-history.ts";
import {
  type CopyName,
  checkLocation,
  isTemporaryName,
  parseCopyName,
  parseReplacedName,
  type ReplacedName,
  type TreeLocation,
  temporaryName,
} from "./tree-location.ts";
import { readSettledFile, type SettledFile } from "./tree-version-file.ts";

/** What brings a file of a tree nearer to rest: every stranger's change a version, the newest version visible. */
export type TreeStep =
  /** Nothing is to be done, or nothing can be. */
  | { readonly step: "rest" }
  /** A stranger's text becomes the next version. */
  | { readonly step: "adopt"; readonly file: SettledFile }
  /** So does a stranger's text that the tree replaced or moved away before it saw it. */
  | { readonly step: "adopt-replaced"; readonly replaced: ReplacedFile }
  /** A stranger removed the visible file: that becomes the next version. */
  | { readonly step: "adopt-removal" }
  /** The visible file has the newest text and gets a second name that says so. */
  | { readonly step: "record"; readonly version: TreeVersion }
  /** The newest version is copied to the visible place. */
  | { readonly step: "publish"; readonly version: TreeVersion }
  /** The newest version is a removal: the visible file goes. */
  | { readonly step: "take" }
  /** Copies that were replaced or moved away are known to be in the history. */
  | { readonly step: "drop"; readonly names: readonly string[] }
  /** The newest copy has arrived, so second names of earlier ones may go. */
  | { readonly step: "confirm"; readonly copy: SeenCopy; readonly stale: readonly SeenCopy[] }
  /** Second names that no longer mean anything go. */
  | { readonly step: "sweep"; readonly stale: readonly SeenCopy[] };

/** Steps that adopt something wait for a snapshot: two equal observations in a row. */
export function needsSnapshot({ step }: TreeStep): boolean {
  return step === "adopt" || step === "adopt-replaced" || step === "adopt-removal";
}

/**
 * Steps without which no version may be put on top: else a stranger's change could no longer be told from an old
 * copy of the tree, or an old copy from a stranger's change.
 */
export function isOwedBeforeWriting(step: TreeStep): boolean {
  return needsSnapshot(step) || step.step === "record";
}

export function decideTreeStep(seen: TreeObservation): TreeStep {
  const { visible, replaced, header } = seen;
  // The file with the newest text is recorded before anything is adopted: after that it could not be recognised.
  if (header && visible && isNewestText(visible, header) && ownCopies(seen).length === 0) {
    return { step: "record", version: header };
  }
  const stranger = replaced.find((one) => isElsewhere(one, seen) && !one.isInHistory);
  if (stranger !== undefined) return { step: "adopt-replaced", replaced: stranger };
  return visible === null ? decideAbsent(seen) : decidePresent(seen, visible);
}

function ownCopies({ visible, copies, newest }: TreeObservation): readonly SeenCopy[] {
  return visible === null ? [] : copies.filter((copy) => isCopyOf(copy, visible, newest));
}

function decidePresent(seen: TreeObservation, visible: SettledFile): TreeStep {
  const { newest, header } = seen;
  const own = ownCopies(seen);
  if (own.length === 0) return { step: "adopt", file: visible };
  if (header?.removed) return { step: "take" };
  const current = own.filter(
    ({ version, sha256 }) => version === newest && (header === null || sha256 === header.sha256),
  );
  if (current.length === 0) {
    if (header === null) return { step: "rest" };
    return { step: isNewestText(visible, header) ? "record" : "publish", version: header };
  }
  const [first] = current;
  if (first !== undefined && current.every((copy) => copy.isPending)) {
    return { step: "confirm", copy: first, stale: findStale(seen) };
  }
  return decideTidying(seen);
}

function decideAbsent(seen: TreeObservation): TreeStep {
  const { newest, header, copies, replaced, blocked } = seen;
  if (newest === 0 || header?.removed === true) return decideTidying(seen);
  const wasThere = copies.some((copy) => copy.version === newest && !copy.isPending);
  const wasTaken = replaced.some(({ was }) => was === "taken");
  if (wasThere && !wasTaken) return { step: "adopt-removal" };
  return header === null || blocked !== null ? { step: "rest" } : { step: "publish", version: header };
}

function decideTidying(seen: TreeObservation): TreeStep {
  const away = seen.replaced.filter((one) => isElsewhere(one, seen));
  if (away.length > 0) return { step: "drop", names: away.map(({ name }) => name) };
  const stale = findStale(seen);
  return stale.length === 0 ? { step: "rest" } : { step: "sweep", stale };
}

/**
 * A copy that is neither visible nor on its way is never put into the visible place by the tree again; if a person
 * puts it back, that is a change of theirs. Neither does a second name of the visible file mean anything once it has
 * one for a later version. What was replaced is needed until it has been looked at.
 */
function findStale(seen: TreeObservation): readonly SeenCopy[] {
  const { visible, newest, copies, replaced } = seen;
  const away = new Set(replaced.filter((one) => isElsewhere(one, seen)).map(({ file }) => file?.identity));
  return copies
    .filter(({ identity, version }) => identity !== visible?.identity || version < newest)
    .filter(({ identity, isComing }) => !isComing && !away.has(identity));
}

function isElsewhere({ file }: ReplacedFile, { visible }: TreeObservation): boolean {
  return file === null || file.identity !== visible?.identity;
}

function isNewestText(file: SettledFile, header: TreeVersion | null): boolean {
  return header !== null && !header.removed && header.sha256 === file.sha256;
}

export interface SeenCopy extends CopyName {
  readonly identity: string;
  /** Still has its temporary name: its rename to the visible place may come at any time. */
  readonly isComing: boolean;
}

/** A file the tree replaced or moved away; without `file` it is no text: a link, a folder, or over the limit. */
interface ReplacedFile extends ReplacedName {
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
  location: TreeLocation,
): Promise<Result<TreeObservation>> {
  for (let tries = 0; tries < maxTries; tries += 1) {
    const checked = await checkLocation(disk, folder, location);
    if (!checked.ok) return checked;
    const newest = await history.newest(location);
    if (!newest.ok) return newest;
    const header = newest.value === 0 ? ok(null) : await history.header(location, newest.value);
    const damage = header.ok ? null : header.error;
    if (damage?.code === "not-found") continue;
    if (!header.ok && damage?.code !== "corrupt" && damage?.code !== "invalid-path") return header;
    const sight =
      checked.value === null ? await look(disk, location) : ok({ visible: null, blocked: checked.value });
    if (!sight.ok) return sight;
    const copies = await readCopies(disk, history, location, newest.value);
    if (!copies.ok) return copies;
    if (copies.value === null) continue;
    const value = header.ok ? header.value : null;
    const seen = { ...sight.value, newest: newest.value, header: value, damage, ...copies.value };
    return ok({ ...seen, signature: sign(seen) });
  }
  return fail("io", `${location.visible} changes faster than it can be looked at.`, {
    path: location.visible,
    fix: "Try again.",
    retryable: true,
  });
}

type VisibleState = Pick<TreeObservation, "visible" | "blocked">;

async function look(disk: Disk, location: TreeLocation): Promise<Result<VisibleState>> {
  const visible = await readSettledFile(disk, location.visible, maxTreeFileBytes);
  if (visible.ok) return ok({ visible: visible.value, blocked: null });
  const { code } = visible.error;
  if (code === "not-found") return ok({ visible: null, blocked: null });
  return code === "is-directory" ? ok({ visible: null, blocked: visible.error }) : visible;
}

/** `null` if something went away between listing and looking. */
async function readCopies(
  disk: Disk,
  history: TreeHistory,
  location: TreeLocation,
  newest: number,
): Promise<Result<Pick<TreeObservation, "copies" | "replaced" | "temporary"> | null>> {
  const names = await disk.list(location.copies);
  if (!names.ok)
    return names.error.code === "not-found" ? ok({ copies: [], replaced: [], temporary: [] }) : names;
  const all = new Set(names.value);
  const copies: SeenCopy[] = [];
  for (const copy of names.value.map(parseCopyName).filter((parsed) => parsed !== null)) {
    const stat = await disk.stat(`${location.copies}/${copy.name}`);
    if (!stat.ok) return stat.error.code === "not-found" ? ok(null) : stat;
    const { identity } = stat.value;
    copies.push({ ...copy, identity, isComing: all.has(temporaryName(copy.id)) });
  }
  const replaced: ReplacedFile[] = [];
  for (const away of names.value.map(parseReplacedName).filter((parsed) => parsed !== null)) {
    const read = await readSettledFile(disk, `${location.copies}/${away.name}`, maxTreeFileBytes);
    if (!read.ok && read.error.code === "not-found") return ok(null);
    if (!read.ok && !noText.has(read.error.code)) return read;
    const file = read.ok ? read.value : null;
    const isCopy = file !== null && copies.some((copy) => isCopyOf(copy, file, newest));
    const isInHistory = isCopy || (file !== null && (await hasRecentText(history, location, file, newest)));
    replaced.push({ ...away, file, isInHistory });
  }
  return ok({ copies, replaced, temporary: names.value.filter(isTemporaryName) });
}

/** A copy of a version that the history has lost counts as a stranger's text: so it is adopted, not overwritten. */
function isCopyOf(copy: SeenCopy, file: SettledFile, newest: number): boolean {
  return copy.identity === file.identity && copy.sha256 === file.sha256 && copy.version <= newest;
}

async function hasRecentText(
  history: TreeHistory,
  location: TreeLocation,
  { sha256 }: SettledFile,
  newest: number,
): Promise<boolean> {
  for (let number = newest; number > Math.max(0, newest - recentVersions); number -= 1) {
    const header = await history.header(location, number);
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
