import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { packages, sourceOf } from "./entries.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** What a package says of itself. */
export const packageIn = (folder) => JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));

/**
 * Vite aliases for a package's own name and every subpath in its `exports`, so that tests import it as its users do.
 * `locate` turns a file that the package gives, as `./dist/index.js`, into the path that is loaded.
 */
export function packageAliases({ name, exports }, locate) {
  return Object.entries(exports).map(([subpath, target]) => ({
    find: new RegExp(`^${`${name}${subpath.slice(1)}`.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}$`),
    replacement: locate(typeof target === "string" ? target : target.default),
  }));
}

/** The names of these packages, each leading to its source. */
export function sourceAliases(folders = packages) {
  return folders.flatMap((folder) =>
    packageAliases(packageIn(join(root, "packages", folder)), (file) =>
      join(root, "packages", folder, sourceOf(folder, file)),
    ),
  );
}
