import { fail, ok, type Result } from "@palimpsest/core/spec";
import { showPath } from "../paths/show-path.ts";
import { isTameGlob } from "./is-tame-glob.ts";

/** Whether a path below a root, with slashes, is meant. A glob without a slash is about the last name alone. */
export type GlobFilter = (relativePath: string) => boolean;

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
