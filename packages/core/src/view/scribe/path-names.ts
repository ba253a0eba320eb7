import type { Ledgers } from "../../spec/index.ts";
import { showName } from "../quote-foreign.ts";
import type { Piece } from "./piece.ts";

/** Which part of the files must be below a folder for it to be the root. */
const rootPart = 0.7;

/** The deepest folder that most files touched are in; empty where there is none. */
export function rootOf(files: Ledgers["files"]): string {
  const counts = new Map<string, number>();
  for (const path of files.keys()) {
    if (!path.startsWith("/")) continue;
    for (let at = path.indexOf("/", 1); at > 0; at = path.indexOf("/", at + 1)) {
      const folder = path.slice(0, at);
      counts.set(folder, (counts.get(folder) ?? 0) + 1);
    }
  }
  let root = "";
  for (const [folder, count] of counts)
    if (count >= files.size * rootPart && folder.length > root.length) root = folder;
  return root;
}

/** Tells a reader how paths are shown. */
export function rootPieces(root: string): readonly Piece[] {
  return root === ""
    ? []
    : [{ levels: [`Paths are below ${showName(`${root}/`)} where they do not begin with a slash.`] }];
}

export function shownPath(path: string, root: string): string {
  return root !== "" && path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path;
}

/** Of a difference between files, and of a path told from below. */
const diffPrefix = /^(?:[ab]\/(?=.*\/)|(?:\.\.\/)+)/;
const foreign = /(?:^|\/)(?:node_modules|\.git|dist|build|\.venv|__pycache__|site-packages)\//;

/** A file that a tool spoke of, relative to the root where it is below it. */
export interface SeenPath {
  readonly path: string;
  /** How many calls spoke of it. */
  readonly count: number;
  /** The newest call that did, counted from the first. */
  readonly newest: number;
}

/** The files that calls and their results name, the most telling first. Installed and built files are left out. */
export function seenPaths({ namedFiles }: Pick<Ledgers, "namedFiles">, root: string): readonly SeenPath[] {
  const seen = new Map<string, SeenPath>();
  let calls = 0;
  for (const [named, { count, newest }] of namedFiles) {
    calls = Math.max(calls, newest + 1);
    const path = shownPath(named, root).replace(diffPrefix, "");
    if (path.startsWith("//") || foreign.test(path)) continue;
    const known = seen.get(path);
    const all = known
      ? { count: known.count + count, newest: Math.max(known.newest, newest) }
      : { count, newest };
    seen.set(path, { path, ...all });
  }
  const score = ({ count, newest }: SeenPath) => newest + Math.min(count, 5) * calls * 0.2;
  return [...seen.values()].sort((a, b) => score(b) - score(a));
}

const place = /^(?:(?<path>[^\s:]+?)[:-])?(?<line>\d+)[:-]/;
const maxLines = 12;

/** `a.ts:12,40 b.ts:7`: where a search has found something, files in the order of the result; empty for other results. */
export function foundPlaces(text: string, maxChars: number): string {
  const files = new Map<string, string[]>();
  for (const row of text.split("\n")) {
    const { path = "", line } = place.exec(row)?.groups ?? {};
    if (line === undefined) continue;
    const lines = files.get(path) ?? [];
    files.set(path, lines);
    if (lines.length < maxLines && row.startsWith(`${path === "" ? "" : `${path}:`}${line}:`))
      lines.push(line);
  }
  let shown = "";
  for (const [path, lines] of files) {
    if (lines.length === 0) continue;
    const next = `${shown === "" ? "" : " "}${path === "" ? "" : `${showName(path)}:`}${lines.join(",")}`;
    if (shown.length + next.length > maxChars) break;
    shown += next;
  }
  return shown;
}
