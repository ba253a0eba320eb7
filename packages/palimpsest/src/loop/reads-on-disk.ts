import { posix } from "node:path";
import type { CommandSubjectRead, Disk } from "@palimpsest/core/spec";
import type { NamedRead } from "../tools/permissions/index.ts";

export interface ReadSurroundings {
  readonly disk: Pick<Disk, "list" | "realPath" | "stat">;
  /** Where the command runs, absolute. */
  readonly folder: string;
  readonly homeFolder: string;
}

/** Names looked at for the patterns of one command; where there are more, it cannot be told what they stand for. */
const maxNames = 10_000;
/** Where a command names more, none of them is looked at. */
const maxReads = 2_000;

/** A path or a part of one, as the disk has it. */
interface Location {
  readonly path: string;
  /** With every link followed; `null` where that cannot be told, or where no file or folder is. */
  readonly real: string | null;
  readonly isMissing?: boolean;
  /** A device or a socket, in which no file is. */
  readonly isDevice?: boolean;
}

/**
 * The reads of a command that names these, with where they really lead: each as it is named, and besides it whatever
 * its pattern stands for and a link carries elsewhere.
 */
export async function readsOnDisk(
  named: readonly NamedRead[],
  { disk, folder, homeFolder }: ReadSurroundings,
): Promise<readonly CommandSubjectRead[]> {
  if (named.length > maxReads)
    return [{ value: folder, realPath: null, isPattern: false, isRecursive: true }];
  let looked = 0;
  const found: CommandSubjectRead[] = [];
  for (const read of named) found.push(...(await readOnDisk(read)));
  return found;

  async function readOnDisk(read: NamedRead): Promise<readonly CommandSubjectRead[]> {
    const { isPattern, isRecursive, followsLinks = false, readsEntries = false } = read;
    const path = fromRoot(read.path, folder, homeFolder);
    const own = { value: posix.resolve(path), isPattern, isRecursive };
    const unknown = [{ ...own, realPath: null }];
    if (followsLinks || /^~[^/]/.test(read.path)) return unknown;
    const names = path.split("/").filter((name) => name !== "" && name !== ".");
    const firstGrowing = isPattern ? names.findIndex((name) => /[*?[]/.test(name)) : -1;
    const fixed = firstGrowing < 0 ? names : names.slice(0, firstGrowing);
    let begin: Location = { path: "/", real: "/" };
    for (const name of fixed) begin = await enter(begin, name);
    if (read.isWord && begin.isDevice) return [];
    if (begin.real === null) return unknown;
    let locations: readonly Location[] | undefined = [begin];
    for (const name of names.slice(fixed.length)) {
      locations = await mapLocations(locations, (location) =>
        /[*?[]/.test(name) ? grow(location, name) : enterOnly(location, name),
      );
      if (locations === undefined) return unknown;
    }
    if (read.isWord && isPattern)
      return locations
        .filter(({ isDevice }) => isDevice !== true)
        .map(({ path: value, real }) => ({ value, realPath: real }));
    // A message or the name of something else is no path, unless there is such a file.
    if (read.isWord && begin.isMissing && !/^[^\s]*\/[^\s]*$/.test(read.path)) return [];
    const isFolder = readsEntries && (await mapLocations(locations, entriesOf));
    if (isFolder === undefined) return unknown;
    const inside = isFolder === false ? [] : isFolder;
    const plainly = (location: Location) => join(begin.real ?? "", posix.relative(begin.path, location.path));
    const elsewhere = [...locations, ...inside].filter(
      (location) => location !== begin && location.isMissing !== true && location.real !== plainly(location),
    );
    return [
      { ...own, realPath: begin.real, ...(inside.length > 0 && { isRecursive: true }) },
      ...elsewhere.map(({ path: value, real }) => ({
        value: posix.resolve(value),
        realPath: real,
        isPattern: false,
        isRecursive,
      })),
      ...(read.isRepository === true ? await repositoryAround(begin.real) : []),
    ];
  }

  /** The next folder upwards that has a git folder, or a file that names one. */
  async function repositoryAround(from: string): Promise<readonly CommandSubjectRead[]> {
    for (let top = from; ; top = posix.dirname(top)) {
      const marker = await disk.stat(join(top, ".git"));
      if (marker.ok)
        return [{ value: top, realPath: top, isPattern: false, isRecursive: true, isRepository: true }];
      if (top === "/") return [];
    }
  }

  /** Looks up the name in a folder. Behind a link `..` is the folder above where that leads. */
  async function enter({ path, real, isMissing = false }: Location, name: string): Promise<Location> {
    const entered = join(path, name);
    if (real === null) return { path: entered, real };
    if (name === "..") return { path: entered, real: posix.dirname(real), isMissing };
    const place = join(real, name);
    if (isOfProcess(place)) return { path: entered, real: null };
    if (isMissing) return { path: entered, real: place, isMissing };
    const stat = await disk.stat(place);
    if (!stat.ok) {
      const isNone = stat.error.code === "not-found" || stat.error.code === "not-directory";
      return isNone ? { path: entered, real: place, isMissing: true } : { path: entered, real: null };
    }
    if (stat.value.kind === "other") return { path: entered, real: null, isDevice: true };
    if (stat.value.kind !== "link") return { path: entered, real: place };
    const target = await disk.realPath(place);
    if (!target.ok || isOfProcess(target.value)) return { path: entered, real: null };
    const behind = await disk.stat(target.value);
    const isPlain = behind.ok && (behind.value.kind === "file" || behind.value.kind === "directory");
    return { path: entered, real: isPlain ? target.value : null };
  }

  async function enterOnly(location: Location, name: string): Promise<readonly Location[]> {
    const entered = await enter(location, name);
    return entered.isMissing === true ? [] : [entered];
  }

  /** The names that a pattern stands for; `undefined` where that is too much, or may be an option. */
  async function grow(location: Location, pattern: string): Promise<readonly Location[] | undefined> {
    const all = await namesIn(location);
    const above = pattern.startsWith(".") ? [".."] : [];
    const meant = all && [...all, ...above].filter((name) => fitsName(pattern, name));
    if (meant === undefined || meant.some((name) => name.startsWith("-") && !pattern.startsWith("-")))
      return undefined;
    return Promise.all(meant.map((name) => listed(location, name)));
  }

  async function entriesOf(location: Location): Promise<readonly Location[] | undefined> {
    const all = await namesIn(location);
    return all && Promise.all(all.map((name) => listed(location, name)));
  }

  /** Something that was just there and now is not, or has a name that is no text, cannot be told. */
  async function listed(location: Location, name: string): Promise<Location> {
    const entered = await enter(location, name);
    return entered.isMissing === true ? { path: entered.path, real: null } : entered;
  }

  async function namesIn({ real }: Location): Promise<readonly string[] | undefined> {
    const names = real === null ? undefined : await disk.list(real);
    if (names === undefined || !names.ok) return [];
    looked += names.value.length;
    return looked > maxNames ? undefined : names.value;
  }
}

async function mapLocations(
  locations: readonly Location[],
  step: (location: Location) => Promise<readonly Location[] | undefined>,
): Promise<readonly Location[] | undefined> {
  const found: Location[] = [];
  for (const location of locations) {
    const next = await step(location);
    if (next === undefined) return undefined;
    found.push(...next);
  }
  return found;
}

function fromRoot(path: string, folder: string, homeFolder: string): string {
  if (path === "~" || path.startsWith("~/")) return homeFolder + path.slice(1);
  return path.startsWith("/") ? path : `${folder}/${path}`;
}

function join(folder: string, name: string): string {
  if (name === "") return folder;
  return folder === "/" ? `/${name}` : `${folder}/${name}`;
}

/** Whether a path is another thing for each process. */
function isOfProcess(path: string): boolean {
  return /^\/proc\/(?:self|thread-self|\d+)(?:\/|$)|^\/dev\/fd(?:\/|$)/i.test(path);
}

/** Whether a shell's pattern may stand for the name, in either case of letters, a bracket and what follows for anything. */
function fitsName(pattern: string, name: string): boolean {
  if (name.startsWith(".") && !pattern.startsWith(".")) return false;
  const [wanted, given] = [pattern.replace(/\[.*/s, "*").toLowerCase(), name.toLowerCase()];
  const bytes = (text: string) => Buffer.from(text).toString("latin1");
  return matchesName([...wanted], [...given]) || matchesName([...bytes(wanted)], [...bytes(given)]);
}

function matchesName(pattern: readonly string[], name: readonly string[]): boolean {
  let [at, position, star, back] = [0, 0, -1, 0];
  while (position < name.length) {
    if (pattern[at] === "*") {
      [star, back] = [at, position];
      at += 1;
    } else if (at < pattern.length && (pattern[at] === "?" || pattern[at] === name[position])) {
      at += 1;
      position += 1;
    } else if (star >= 0) {
      back += 1;
      [at, position] = [star + 1, back];
    } else {
      return false;
    }
  }
  return pattern.slice(at).every((one) => one === "*");
}
