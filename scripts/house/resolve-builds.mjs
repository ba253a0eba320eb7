import { readFileSync } from "node:fs";
import { packages, sourceOf } from "../bundle/entries.mjs";

const root = new URL("../../", import.meta.url);

/** What each package gives, by the file it is built from: `@palimpsest/core/spec` → `packages/core/build/spec/index.js`. */
const builds = new Map(
  packages.flatMap((folder) => {
    const { name, exports } = JSON.parse(
      readFileSync(new URL(`packages/${folder}/package.json`, root), "utf8"),
    );
    return Object.entries(exports)
      .filter(([, target]) => typeof target !== "string")
      .map(([subpath, target]) => [
        name + subpath.slice(1),
        new URL(
          `packages/${folder}/${sourceOf(folder, target.default).replace("./src/", "build/").replace(/\.ts$/, ".js")}`,
          root,
        ).href,
      ]);
  }),
);

export function resolve(specifier, context, next) {
  const url = builds.get(specifier);
  return url === undefined ? next(specifier, context) : { url, shortCircuit: true };
}
