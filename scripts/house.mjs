// What the house looks like: files, folders, names, and how many files each walk through it takes.
// npm run house [-- --json]
import { execFileSync } from "node:child_process";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { namesOnList } from "./house/names.mjs";
import { foldersOf, importersOf, readSources } from "./house/source-graph.mjs";

const json = process.argv.includes("--json");
const smallLines = 40;

const files = readSources();
const importers = importersOf(files);
const folders = foldersOf(files);
const [largest, most] = [...folders].sort(([, a], [, b]) => b - a)[0];
const lone = [...files.values()].filter(({ path, lines }) => {
  const [importer, another] = importers.get(path);
  return (
    lines < smallLines &&
    importer !== undefined &&
    another === undefined &&
    dirname(importer) === dirname(path)
  );
});
const names = namesOnList(files);
const ofInternal = [...files.values()].filter(({ text }) => /"@palimpsest\/core\/internal/.test(text)).length;

const walks = Object.fromEntries(
  ["add", "prepare", "compaction", "memory", "gateway"].map((name) => {
    const script = fileURLToPath(new URL("./house/walk-files.mjs", import.meta.url));
    return [name, JSON.parse(execFileSync(process.execPath, [script, name], { encoding: "utf8" }))];
  }),
);
const size = (ran) => ({
  files: Object.keys(ran).length,
  functions: Object.values(ran).reduce((sum, count) => sum + count, 0),
});

const house = {
  files: files.size,
  lines: [...files.values()].reduce((sum, { lines }) => sum + lines, 0),
  folders: folders.size,
  largestFolder: { path: largest, files: most },
  smallFilesWithOneImporterBeside: lone.length,
  namesOnList: { different: names.size, places: [...names.values()].reduce((sum, count) => sum + count, 0) },
  filesThatImportInternal: ofInternal,
  walks: {
    add: size(walks.add),
    prepare: size(walks.prepare),
    addAndPrepare: { files: new Set([...Object.keys(walks.add), ...Object.keys(walks.prepare)]).size },
    compaction: size(walks.compaction),
    memoryWrite: size(walks.memory),
    gatewayRequest: size(walks.gateway),
  },
};

if (json) {
  console.log(
    JSON.stringify(
      { ...house, lone: lone.map(({ path }) => path), names: Object.fromEntries(names), walked: walks },
      null,
      2,
    ),
  );
} else {
  const say = (label, text) => console.log(`${label.padEnd(46)} ${text}`);
  say("source files", house.files);
  say("lines", house.lines);
  say("folders with source", house.folders);
  say("largest folder", `${most} files, ${largest}`);
  say(`files under ${smallLines} lines, one importer, beside it`, house.smallFilesWithOneImporterBeside);
  say("names on the list", `${house.namesOnList.different}, in ${house.namesOnList.places} places`);
  say("files that import @palimpsest/core/internal", house.filesThatImportInternal);
  for (const [name, { files, functions }] of Object.entries(house.walks)) {
    say(`walk: ${name}`, `${files} files${functions === undefined ? "" : `, ${functions} functions`}`);
  }
}
