// Imported before a program that is counted, not timed: appends the URL of each module that it loads to the file
// PALIMPSEST_IMPORT_RECORD. ES modules pass the hook; what CommonJS requires is in its cache when the program ends.
import { appendFileSync } from "node:fs";
import { createRequire, register } from "node:module";
import { pathToFileURL } from "node:url";
import { isMainThread } from "node:worker_threads";

const record = (url) => appendFileSync(String(process.env.PALIMPSEST_IMPORT_RECORD), `${url}\n`);

export async function load(url, context, nextLoad) {
  record(url);
  return nextLoad(url, context);
}

// Hooks run in a thread of their own, which imports this file again.
if (isMainThread) {
  register(import.meta.url);
  const { cache } = createRequire(import.meta.url);
  process.on("exit", () => {
    for (const path of Object.keys(cache)) record(pathToFileURL(path).href);
  });
}
