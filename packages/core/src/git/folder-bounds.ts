import { isAbsolute, relative, sep } from "node:path";
import type { Disk, DiskStat } from "../spec/index.ts";

/** Whether a path with no links in it is a folder or lies below it. */
export function isWithin(root: string, path: string): boolean {
  const way = relative(root, path);
  return way === "" || (way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}

export const isWithinAny = (roots: readonly string[], path: string) =>
  roots.some((root) => isWithin(root, path));

/** Stands for bytes that are no text: what such a name leads to is not known. */
export const unreadable = "\u{FFFD}";

/** Where nothing is there git reads nothing either; `unknown` is what cannot be told. */
export type PathTarget =
  | { readonly kind: "there"; readonly path: string }
  | { readonly kind: "missing" }
  | { readonly kind: "unknown" };

/** Follows every link. */
export async function followPath(disk: Disk, path: string): Promise<PathTarget> {
  if (path.includes(unreadable)) return { kind: "unknown" };
  const real = await disk.realPath(path);
  if (real.ok) return { kind: "there", path: real.value };
  const { code } = real.error;
  return { kind: code === "not-found" || code === "not-directory" ? "missing" : "unknown" };
}

/** The path without links, where it can be told. */
export async function realPathOf(disk: Disk, path: string): Promise<string | undefined> {
  const found = await followPath(disk, path);
  return found.kind === "there" ? found.path : undefined;
}

/** The beginning of a file as text; nothing where it is no file. */
export async function readText(disk: Disk, path: string, maxBytes: number): Promise<string | undefined> {
  const real = await realPathOf(disk, path);
  const opened = real === undefined ? undefined : await disk.open(real, "read");
  if (!opened?.ok) return undefined;
  const into = new Uint8Array(maxBytes);
  const read = await opened.value.read(0, into);
  await opened.value.close();
  return read.ok
    ? new TextDecoder("utf-8", { ignoreBOM: true }).decode(into.subarray(0, read.value))
    : undefined;
}

export interface LinkSearch {
  readonly disk: Disk;
  /** Folders without links in their paths. */
  readonly from: readonly string[];
  readonly roots: readonly string[];
  /** Names right below the first folders that are passed over. */
  readonly passedOver: ReadonlySet<string>;
  /** More entries than these are a trap. */
  readonly maxEntries: number;
}

/** The first link below the folders that leads out of the roots, or a name behind which one may be. */
export async function findOutwardLink(search: LinkSearch): Promise<string | undefined> {
  const { disk, roots, passedOver, maxEntries } = search;
  const [folders, first] = [new Set(search.from), new Set(search.from)];
  let seen = 0;
  for (const folder of folders) {
    const listed = await disk.list(folder);
    if (!listed.ok) {
      if (listed.error.code === "not-found" || listed.error.code === "not-directory") continue;
      return folder;
    }
    const names = listed.value.filter((name) => !(first.has(folder) && passedOver.has(name)));
    seen += names.length;
    if (seen > maxEntries) return folder;
    const paths = names.map((name) => `${folder}/${name}`);
    for (const [position, kind] of (await kindsOf(disk, paths)).entries()) {
      const path = paths[position] ?? "";
      if (path.includes(unreadable)) return path;
      if (kind === "directory") folders.add(path);
      if (kind !== "link") continue;
      const target = await followPath(disk, path);
      if (target.kind === "missing") continue;
      if (target.kind === "unknown" || !isWithinAny(roots, target.path)) return path;
      folders.add(target.path);
    }
  }
  return undefined;
}

/** The kinds of things there, in this order; links are not followed. */
export async function kindsOf(
  disk: Disk,
  paths: readonly string[],
): Promise<readonly (DiskStat["kind"] | undefined)[]> {
  const stats = disk.statAll
    ? await disk.statAll(paths)
    : await Promise.all(paths.map((path) => disk.stat(path)));
  return stats.map((stat) => (stat.ok ? stat.value.kind : undefined));
}
