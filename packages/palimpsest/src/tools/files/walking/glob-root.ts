import { fail, ok, type Result } from "@palimpsest/core/spec";
import { showPath } from "../paths/show-path.ts";

export interface GlobRoot {
  /** The folder to look in, as written. */
  readonly root: string;
  readonly glob: string;
}

/** Where a glob begins: an absolute one brings its own folder along, which is then what permission is asked for. */
export function globRoot(pattern: string, path: string | undefined): GlobRoot {
  if (!pattern.startsWith("/")) return { root: path ?? ".", glob: pattern.replace(/^(?:\.\/)+/, "") };
  const names = pattern.split("/").slice(1);
  const magic = names.findIndex((name) => /[*?[\]{}()!\\]/.test(name));
  const fixed = magic === -1 ? names.length - 1 : magic;
  return { root: `/${names.slice(0, fixed).join("/")}`, glob: names.slice(fixed).join("/") };
}

/** A glob never leads upwards: what it would reach was not asked for. */
export function checkGlob(glob: string): Result<void> {
  if (!glob.split("/").includes("..")) return ok();
  return fail("invalid-input", `The glob ${showPath(glob)} leads upwards.`, {
    fix: "Give the folder as path.",
  });
}
