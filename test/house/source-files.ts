import { readdirSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../..", import.meta.url));

export interface SourceFile {
  /** Path from the package root, with slashes. */
  readonly path: string;
  readonly text: string;
}

/** Every TypeScript file below a folder of the repository that is not built. */
export function sourceFiles(folder: string): readonly SourceFile[] {
  return filesBelow(folder, /\.tsx?$/);
}

/** Every file below a folder that Node runs: scripts, benches, child processes of tests. */
export function programFiles(folder: string): readonly SourceFile[] {
  return filesBelow(folder, /\.(?:mjs|ts)$/);
}

function filesBelow(folder: string, ending: RegExp): readonly SourceFile[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && ending.test(entry.name))
    .filter(({ parentPath }) => !/\/(?:build|dist|node_modules)(?:\/|$)/.test(parentPath))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => ({ path: relative(root, path).split(sep).join("/"), text: readFileSync(path, "utf8") }))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** What a file imports or exports from, types included, as written. */
export function importsOf(text: string): readonly string[] {
  const pattern = /(?:^|\n)\s*(?:import|export)\s(?:[^"';]*?\sfrom\s)?"([^"]+)"|\bimport\("([^"]+)"\)/g;
  return [...text.matchAll(pattern)].flatMap((match) => match[1] ?? match[2] ?? []);
}
