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

/** What tells a reader how paths are shown. */
export function rootPieces(root: string): readonly Piece[] {
  return root === ""
    ? []
    : [{ levels: [`Paths are below ${showName(`${root}/`)} where they do not begin with a slash.`] }];
}

export function shownPath(path: string, root: string): string {
  return root !== "" && path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path;
}
