import {
  type Clock,
  type Disk,
  type ErrorCode,
  type FileTree,
  fail,
  type Ids,
  ok,
  type PalimpsestError,
  type Result,
  type TreeFile,
  type TreeVersion,
  type TreeWriteOptions,
} from "../../../spec/index.ts";
import {
  decodeTreeText,
  encodeTreeText,
  fromHistoryName,
  historyFolderName,
  toTreePath,
} from "../../shared/trees/tree-path.ts";
import { refuseAbsent, refuseRemoved, refuseWrite, toVersionDraft } from "../../shared/trees/tree-version.ts";
import { createDurableFolders, inParallel, refuseLink } from "../disk/whole-file.ts";
import { accountForTreeFile, isRace, settleTreeFile, showTreeVersion } from "./settle-tree-file.ts";
import { createTreeHistory } from "./tree-history.ts";
import { checkLocation, type TreeLocation, type TreeSurroundings, toTreeLocation } from "./tree-location.ts";

export interface FileTreeOptions {
  readonly disk: Disk;
  /** Absolute. May be a symbolic link or lie behind one; below it no link is followed. */
  readonly folder: string;
  readonly clock: Clock;
  readonly ids: Ids;
  /**
   * Default true: a write survives power loss once it is acknowledged. Without it a write survives the end of the
   * process, and power loss may damage versions, or leave an old or empty visible file that is then adopted as a
   * stranger's; what was synced before stays in the history.
   */
  readonly durable?: boolean;
  /** Problems that stopped nothing: a visible file that could not be brought up to date, a file left out. */
  readonly onProblem?: (problem: PalimpsestError) => void;
}

/** Tries of a write without `expect` to get on top, each lost to a write that succeeded. */
const maxWriteTries = 1_000;

/** How many files a listing looks at together. */
const filesAtOnce = 16;

/** Errors that make one file unusable and say nothing about the others. */
const aboutOneFile: ReadonlySet<ErrorCode> = new Set([
  "corrupt",
  "invalid-path",
  "is-directory",
  "newer-format",
  "not-directory",
  "too-large",
]);

/** Errors of a text that a stranger wrote and that cannot be adopted. */
const aboutVisibleText: ReadonlySet<ErrorCode> = new Set(["corrupt", "too-large"]);

/** A tree in a folder whose own path is trusted; see `createFileTree`. */
export function createTreeInFolder(options: FileTreeOptions): FileTree {
  const { disk, folder, clock, ids, durable = true, onProblem = () => undefined } = options;
  const folders = createDurableFolders(disk, folder);
  const history = createTreeHistory({ disk, clock, ids, durable, folders });
  const around: TreeSurroundings = { disk, clock, ids, durable, folder, folders, history, onProblem };

  function toLocation(path: string): Result<TreeLocation> {
    const normal = toTreePath(path);
    return normal.ok ? ok(toTreeLocation(folder, normal.value)) : normal;
  }

  async function readVersion(location: TreeLocation, version: number): Promise<Result<TreeFile>> {
    if (!Number.isSafeInteger(version) || version < 1) {
      return fail("invalid-input", `${version} is not a version of ${location.path}.`, {
        path: location.path,
        fix: "Versions count from 1.",
      });
    }
    const read = await history.read(location, version);
    if (!read.ok) return read.error.code === "not-found" ? refuseAbsent(location.path, version) : read;
    if (read.value.version.removed) return refuseRemoved(read.value.version);
    const text = decodeTreeText(read.value.content, location.version(version));
    return text.ok ? ok({ text: text.value, version: read.value.version }) : text;
  }

  /** Puts a version on top of what is there, and makes it visible as far as possible. */
  async function put(
    path: string,
    given: TreeWriteOptions,
    content: Uint8Array | null,
  ): Promise<Result<TreeVersion>> {
    const location = toLocation(path);
    if (!location.ok) return location;
    const draft = toVersionDraft(location.value.path, given, content);
    if (!draft.ok) return draft;
    for (let tries = 0; tries < maxWriteTries; tries += 1) {
      const accounted = await accountForTreeFile(around, location.value);
      if (!accounted.ok) return accounted;
      const { seen } = accounted.value;
      const refused = refuseWrite(location.value.path, seen, given.expect, content === null);
      if (refused !== null) return refused;
      const added = await history.add(location.value, seen.newest + 1, draft.value);
      if (!added.ok && isRace(added.error.code)) continue;
      if (!added.ok) return added;
      await showTreeVersion(around, location.value, seen, added.value);
      return added;
    }
    return fail("conflict", `Others keep writing ${path} faster than this write.`, { path, retryable: true });
  }

  /** The newest version in the history, for a file whose visible text is unusable and was left alone. */
  async function newestHeader(location: TreeLocation): Promise<Result<TreeVersion | null>> {
    const newest = await history.newest(location);
    if (!newest.ok || newest.value === 0) return newest.ok ? ok(null) : newest;
    const header = await history.header(location, newest.value);
    return header.ok || !aboutOneFile.has(header.error.code) ? header : ok(null);
  }

  async function newestVersion(location: TreeLocation): Promise<Result<TreeVersion | null>> {
    const settled = await settleTreeFile(around, location, "reader");
    if (!settled.ok && !aboutOneFile.has(settled.error.code)) return settled;
    const problem = settled.ok ? settled.value.damage : settled.error;
    if (problem !== null) onProblem(problem);
    if (!settled.ok && !aboutVisibleText.has(settled.error.code)) return ok(null);
    return settled.ok ? ok(settled.value.header) : newestHeader(location);
  }

  return {
    async read(path, version) {
      const location = toLocation(path);
      if (!location.ok) return location;
      if (version !== undefined) {
        const checked = await checkLocation(disk, folder, location.value);
        return checked.ok ? readVersion(location.value, version) : checked;
      }
      const settled = await settleTreeFile(around, location.value, "reader");
      if (!settled.ok) return settled;
      const { newest, header, damage, visible } = settled.value;
      if (damage !== null) return { ok: false, error: damage };
      if (header === null) return refuseAbsent(location.value.path);
      if (header.removed) return refuseRemoved(header);
      if (visible?.sha256 !== header.sha256) return readVersion(location.value, newest);
      const text = decodeTreeText(visible.content, location.value.visible);
      return text.ok ? ok({ text: text.value, version: header }) : text;
    },

    async write(path, text, given) {
      const content = encodeTreeText(text, path);
      return content.ok ? put(path, given, content.value) : content;
    },

    remove: (path, given) => put(path, given, null),

    async list({ removed = false } = {}) {
      const paths = await listTreePaths(disk, folder, onProblem);
      if (!paths.ok) return paths;
      const versions: TreeVersion[] = [];
      const locations = paths.value.map((path) => toTreeLocation(folder, path));
      for (const version of await inParallel(locations, filesAtOnce, newestVersion)) {
        if (!version.ok) return version;
        if (version.value !== null && (removed || !version.value.removed)) versions.push(version.value);
      }
      return ok(versions);
    },

    async history(path) {
      const location = toLocation(path);
      if (!location.ok) return location;
      const settled = await settleTreeFile(around, location.value, "reader");
      if (!settled.ok && !aboutVisibleText.has(settled.error.code)) return settled;
      if (!settled.ok) onProblem(settled.error);
      const numbers = await history.numbers(location.value);
      if (!numbers.ok) return numbers;
      const versions: TreeVersion[] = [];
      for (const number of numbers.value) {
        const header = await history.header(location.value, number);
        if (header.ok) versions.push(header.value);
        else if (aboutOneFile.has(header.error.code)) onProblem(header.error);
        else return header;
      }
      return ok(versions);
    },
  };
}

/**
 * Every path that a tree may have a file at, sorted: those with a visible file and those with a history. Hidden
 * files are passed over; links are never followed, and reported like files whose names no path can have.
 */
async function listTreePaths(
  disk: Disk,
  folder: string,
  onProblem: (problem: PalimpsestError) => void,
): Promise<Result<readonly string[]>> {
  const paths = new Set<string>();

  async function walk(prefix: string): Promise<Result<void>> {
    const names = await disk.list(`${folder}/${prefix}`.replace(/\/$/, ""));
    if (!names.ok) return names.error.code === "not-found" ? ok() : names;
    for (const name of names.value) {
      if (name.startsWith(".")) continue;
      const stat = await disk.stat(`${folder}/${prefix}${name}`);
      if (!stat.ok && stat.error.code === "not-found") continue;
      if (!stat.ok) return stat;
      const path = toTreePath(`${prefix}${name}`);
      const problem = notPartOfTree(`${folder}/${prefix}${name}`, stat.value.kind, path);
      if (problem !== null) onProblem(problem);
      else if (stat.value.kind === "file" && path.ok) paths.add(path.value);
      else {
        const walked = await walk(`${prefix}${name}/`);
        if (!walked.ok) return walked;
      }
    }
    return ok();
  }

  const walked = await walk("");
  if (!walked.ok) return walked;
  const histories = await listHistories(disk, `${folder}/${historyFolderName}`);
  if (!histories.ok) return histories;
  for (const path of histories.value) paths.add(path);
  return ok([...paths].sort());
}

function notPartOfTree(file: string, kind: string, path: Result<string>): PalimpsestError | null {
  if (kind === "link") return refuseLink(file).error;
  if (path.ok && (kind === "file" || kind === "directory")) return null;
  return fail("invalid-path", `${file} is not part of the tree: its name or kind does not fit.`, {
    path: file,
    fix: path.ok ? "Move it away." : path.error.fix,
  }).error;
}

async function listHistories(disk: Disk, folder: string): Promise<Result<readonly string[]>> {
  const stat = await disk.stat(folder);
  if (!stat.ok) return stat.error.code === "not-found" ? ok([]) : stat;
  if (stat.value.kind === "link") return refuseLink(folder);
  const names = await disk.list(folder);
  if (!names.ok) return names;
  return ok(names.value.map(fromHistoryName).filter((path) => path !== null));
}
