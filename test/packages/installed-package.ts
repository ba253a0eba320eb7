import { readdirSync, readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { join } from "node:path";
import { packageIn } from "../../scripts/bundle/package-aliases.mjs";

export const installedAt = (project: string, name: string) => join(project, "node_modules", name);

/** The subpaths that a package exports, as they are imported. */
export function entriesOf(project: string, name: string): readonly string[] {
  const { exports } = packageIn(installedAt(project, name));
  const subpaths = Object.keys(exports).filter((subpath) => subpath !== "./package.json");
  return subpaths.map((subpath) => `${name}${subpath.slice(1)}`);
}

/** The texts of a package's files whose paths are like that. */
export function textsOf(project: string, name: string, pattern: RegExp): readonly string[] {
  const folder = installedAt(project, name);
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => pattern.test(path))
    .map((path) => readFileSync(join(folder, path), "utf8"));
}

const importing = /^(?:import|export)\b[^;"']*["']([^."'][^"']*)["'];?$|\bimport\("([^."][^"]*)"\)/gm;

/** What of other packages a package's code and declarations import. */
export function foreignImports(project: string, name: string): readonly string[] {
  const texts = textsOf(project, name, /^dist\/[^/]+\.(?:js|d\.ts)$/);
  const imported = texts.flatMap((text) =>
    [...text.matchAll(importing)].map(([, from, loaded]) => from ?? loaded ?? ""),
  );
  return [...new Set(imported)].filter((from) => !isBuiltin(from));
}

/** The packages whose code is part of a package's own, by the comments that the bundler leaves. */
export function bundledPackages(project: string, name: string): readonly string[] {
  const parts = textsOf(project, name, /^dist\/[^/]+\.js$/).flatMap((text) =>
    [...text.matchAll(/^\/\/ (?:.*\/)?node_modules\/((?:@[^/]+\/)?[^/]+)\//gm)].map(([, part = ""]) => part),
  );
  return [...new Set(parts)];
}
