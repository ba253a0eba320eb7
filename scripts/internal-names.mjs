// Prints the names that `@palimpsest/core` gives the other packages under `internal`, by the area they come from, and those
// that none of them uses. They hold for the exact version and promise nothing: the fewer, the better.
import { readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { fileURLToPath } from "node:url";
import { sourceOf } from "./bundle/entries.mjs";
import { packageIn } from "./bundle/package-aliases.mjs";

/** How many there may be. Lower it when some are gone; more need a reason. */
export const mostInternalNames = 361;

const root = fileURLToPath(new URL("..", import.meta.url));
const core = join(root, "packages/core");
const users = ["packages/palimpsest/src", "packages/testing/src"];

/** Every name of every internal entry: the entry as it is imported, and the area of the source that has it. */
export function internalNames() {
  const { name: packageName, exports } = packageIn(core);
  return Object.entries(exports)
    .filter(([subpath]) => subpath.startsWith("./internal"))
    .flatMap(([subpath, target]) => {
      const source = posix.normalize(sourceOf("core", target.default));
      const entry = `${packageName}${subpath.slice(1)}`;
      return exportedNames(source).map((exported) => ({ entry, ...exported }));
    });
}

/** Those that no other package imports outside of its tests. */
export function unusedInternalNames() {
  const used = new Set(users.flatMap((folder) => sourcesIn(folder).flatMap(importedNames)));
  return internalNames().filter(({ entry, name }) => !used.has(`${entry} ${name}`));
}

function exportedNames(source) {
  const text = readCode(join(core, source));
  if (/^export \*/m.test(text)) throw new Error(`packages/core/${source}: “export *” hides the names.`);
  const handedOn = [...text.matchAll(/^export (?:type )?\{([^}]*)\} from "([^"]+)"/gm)].flatMap(
    ([, braces, from]) => {
      const area = areaOf(posix.join(posix.dirname(source), from));
      return namesIn(braces).map(({ outside }) => ({ name: outside, area }));
    },
  );
  const own = text.matchAll(/^export (?:async )?(?:interface|type|function|const|class) (\w+)/gm);
  return [...handedOn, ...[...own].map(([, name]) => ({ name, area: areaOf(source) }))];
}

/** How a file may import: whatever names no names would use all of them unseen. */
const imports = [
  /(?:import|export) (?:type )?\{(?<braces>[^}]*)\} from "(?<entry>@palimpsest\/core\/internal[^"]*)"/g,
  /\{(?<braces>[^{}]*)\} = await import\("(?<entry>@palimpsest\/core\/internal[^"]*)"\)/g,
  /import\("(?<entry>@palimpsest\/core\/internal[^"]*)"\)\s*\.then\(\(\{(?<braces>[^{}]*)\}\)/g,
];

/** What a file imports of internal entries, each as `entry name`. */
function importedNames(path) {
  const text = readCode(join(root, path));
  const found = imports.flatMap((pattern) => [...text.matchAll(pattern)]);
  if (found.length !== text.split('"@palimpsest/core/internal').length - 1)
    throw new Error(`${path}: import from @palimpsest/core/internal by names, in one of the usual ways.`);
  return found.flatMap(({ groups: { braces, entry } }) =>
    namesIn(braces).map(({ inside }) => `${entry} ${inside}`),
  );
}

/** `a, type B, c as d, e: f`: the names before `as` or the colon, and those after it. */
function namesIn(braces) {
  const all = braces.split(",").map((one) => one.trim().replace(/^type\s+/, ""));
  return all
    .filter((one) => one !== "")
    .map((one) => {
      const [inside, outside = inside] = one.split(/\s+as\s+|:\s*/);
      return { inside, outside };
    });
}

/** `src/memory/build-index.ts` → `memory`, `src/runtime.ts` → `runtime`. */
function areaOf(path) {
  const folders = path
    .replace(/^src\//, "")
    .replace(/\.ts$/, "")
    .split("/");
  return folders.slice(0, Math.max(1, Math.min(2, folders.length - 1))).join("/");
}

/** Without lines of comment. */
const readCode = (path) => readFileSync(path, "utf8").replace(/^\s*(?:\/?\*|\/\/).*$/gm, "");

const sourcesIn = (folder) =>
  readdirSync(join(root, folder), { recursive: true })
    .filter((path) => /\.tsx?$/.test(path) && !/\.test\.tsx?$/.test(path))
    .map((path) => join(folder, path));

function print() {
  const all = internalNames();
  const areas = [...new Set(all.map(({ area }) => area))].sort();
  for (const area of areas) {
    const names = all.filter((one) => one.area === area).map(({ name }) => name);
    console.log(`${String(names.length).padStart(4)}  ${area}: ${names.join(", ")}`);
  }
  console.log(`${String(all.length).padStart(4)}  names; there may be ${mostInternalNames}`);
  for (const { entry, name } of unusedInternalNames()) console.log(`unused: ${name} of ${entry}`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) print();
