import { type Glob, globsMeet, literalName, matchGlob, parseGlob, shellNames } from "./glob.ts";
import { foldPath } from "./plain-path.ts";
import { isProtectedPath } from "./protected-paths.ts";

export interface PathPattern {
  readonly kind: "path";
  /** The folder where the globs begin. */
  readonly from: "workspace" | "root" | "home";
  readonly globs: readonly Glob[];
  /** The same, for names that differ in case or composition only. */
  readonly folded: readonly Glob[];
  /** It names something protected, or one path and no other: such a rule may allow what is protected. */
  readonly namesProtected: boolean;
}

/** Where patterns begin: real, absolute paths. */
export interface PathLocations {
  readonly workspace: readonly string[];
  readonly homeFolder: string;
}

export interface PatternRefusal {
  readonly problem: string;
  /** The pattern as it should be. */
  readonly instead: string;
}

/** `src/**` in the workspace, `//etc/**` from the root, `~/notes/**` from home. A slash at the end means all below. */
export function parsePathPattern(text: string): PathPattern | PatternRefusal {
  const [from, relative] = text.startsWith("//")
    ? (["root", text.slice(2)] as const)
    : text.startsWith("~/")
      ? (["home", text.slice(2)] as const)
      : (["workspace", text.replace(/^(?:\.\/)+/, "")] as const);
  if (relative.startsWith("/")) {
    const inside = relative.replace(/^\/+/, "");
    return {
      problem: "a path that begins with one slash could mean two places",
      instead: from === "workspace" ? `//${inside}` : `${text.slice(0, 2)}${inside}`,
    };
  }
  if (text.includes("\0") || relative.split("/").some((name) => name === ".." || name === "."))
    return { problem: "it has a part that is . or .. or NUL", instead: "//the/whole/path" };
  const whole = relative === "" || relative.endsWith("/") ? `${relative}**` : relative;
  const [globs, folded] = [parseGlob(whole), parseGlob(foldPath(whole))];
  if (globs === undefined || folded === undefined)
    return { problem: "a brace is open, or braces make too many choices", instead: "src/{a,b}/**" };
  const isOnePath = !/(?<!\\)[*?{]/.test(whole);
  const namesProtected = isOnePath || isProtectedPath(whole.replace(/\/\*+$/, ""));
  return { kind: "path", from, globs, folded, namesProtected };
}

/** Exactly, for saying yes. The path is plain and real. */
export function allowsPath(pattern: PathPattern, path: string, locations: PathLocations): boolean {
  return beginningsOf(pattern, locations).some((beginning) => {
    const inside = relativeTo(path, beginning);
    return inside !== undefined && pattern.globs.some((glob) => matchGlob(glob, inside));
  });
}

/** Generously, for saying no: in any spelling, and everything below what is named. */
export function coversPath(pattern: PathPattern, path: string, locations: PathLocations): boolean {
  const folded = foldPath(path);
  return beginningsOf(pattern, locations).some((beginning) => {
    const inside = relativeTo(folded, foldPath(beginning));
    if (inside === undefined) return false;
    const names = inside.split("/").filter(Boolean);
    const above = names.map((_, count) => names.slice(0, count + 1).join("/"));
    return pattern.folded.some((glob) => ["", ...above].some((one) => matchGlob(glob, one)));
  });
}

/** Whether files that a shell's pattern stands for, or files below a folder, could be what is named. Generously. */
export function couldReach(
  pattern: PathPattern,
  path: string,
  read: { readonly isPattern?: boolean; readonly isRecursive?: boolean },
  locations: PathLocations,
): boolean {
  const names = foldPath(path).split("/").filter(Boolean);
  const shape = read.isPattern === true ? shellNames(names) : names.map(literalName);
  return beginningsOf(pattern, locations).some((beginning) => {
    const above = foldPath(beginning).split("/").filter(Boolean).map(literalName);
    return pattern.folded.some((glob) => globsMeet([...above, ...glob], shape, read.isRecursive === true));
  });
}

function beginningsOf({ from }: PathPattern, { workspace, homeFolder }: PathLocations): readonly string[] {
  return from === "workspace" ? workspace : [from === "root" ? "/" : homeFolder];
}

function relativeTo(path: string, folder: string): string | undefined {
  const root = folder.replace(/\/+$/, "");
  if (path.replace(/\/+$/, "") === root) return "";
  return path.startsWith(`${root}/`) ? path.slice(root.length + 1) : undefined;
}
