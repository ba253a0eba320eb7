import { fail, ok, type Result } from "@palimpsest/core/spec";
import { showPath } from "../paths/show-path.ts";

/** Whether a path below a root, with slashes, is meant. A glob without a slash is about the last name alone. */
type GlobFilter = (relativePath: string) => boolean;

export async function createGlobFilter(
  glob: string,
  options: { readonly matchesHidden: boolean; readonly matchesNames: boolean },
): Promise<Result<GlobFilter>> {
  if (glob.trim() === "" || glob.includes("\0")) {
    return fail("invalid-input", "The glob is empty, or holds a NUL character.", {
      fix: "Use such as **/*.ts.",
    });
  }
  if (!isTameGlob(glob)) {
    return fail("invalid-input", `The glob ${showPath(glob.slice(0, 100))} has too many stars.`, {
      fix: "Use fewer, and search in a folder further down.",
    });
  }
  const { default: picomatch } = await import("picomatch");
  const isMatch = picomatch(glob, {
    dot: options.matchesHidden,
    basename: options.matchesNames && !glob.includes("/"),
    noextglob: true,
    nonegate: true,
    strictSlashes: true,
  });
  return ok((path) => isMatch(path));
}

/** Measured: with one star more, a single name of 250 equal letters takes over a second. */
const maxStarsInName = 3;
const maxFolderStars = 4;
const maxChars = 1_000;

/**
 * Whether a glob can be matched in time that nobody notices. Many stars in one name take a number of steps that grows
 * with their count as the power, and a repository may bring both the glob and the names. A star at the end costs nothing.
 */
export function isTameGlob(glob: string): boolean {
  if (glob.length > maxChars) return false;
  const names = glob.split("/");
  const isFolderStar = (name: string) => /^\*{2,}$/.test(name);
  if (names.filter(isFolderStar).length > maxFolderStars) return false;
  const starsIn = (name: string) => name.replace(/\*+$/, "").match(/\*+/g)?.length ?? 0;
  return names.every((name) => isFolderStar(name) || starsIn(name) <= maxStarsInName);
}
