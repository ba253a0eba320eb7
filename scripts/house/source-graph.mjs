import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, posix, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { packages } from "../bundle/entries.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Every source file of the packages that is no test, with the files that it imports by path. */
export function readSources() {
  const files = new Map();
  for (const name of packages) {
    for (const entry of readdirSync(join(root, "packages", name, "src"), {
      recursive: true,
      withFileTypes: true,
    })) {
      if (!entry.isFile() || !/\.tsx?$/.test(entry.name) || entry.name.includes(".test.")) continue;
      const path = relative(root, join(entry.parentPath, entry.name)).split(sep).join("/");
      const text = readFileSync(join(root, path), "utf8");
      files.set(path, { path, text, lines: text.split("\n").length - 1, imports: importsOf(path, text) });
    }
  }
  return files;
}

/** The files that import each file. */
export function importersOf(files) {
  const importers = new Map([...files.keys()].map((path) => [path, []]));
  for (const { path, imports } of files.values()) {
    for (const imported of imports) importers.get(imported)?.push(path);
  }
  return importers;
}

export function foldersOf(files) {
  const folders = new Map();
  for (const path of files.keys()) folders.set(dirname(path), (folders.get(dirname(path)) ?? 0) + 1);
  return folders;
}

function importsOf(path, text) {
  const pattern = /(?:^|\n)\s*(?:import|export)\s(?:[^"';]*?\sfrom\s)?"(\.[^"]+)"|\bimport\("(\.[^"]+)"\)/g;
  const paths = [...text.matchAll(pattern)].map(([, one, other]) =>
    posix.join(posix.dirname(path), one ?? other),
  );
  return [...new Set(paths)];
}
