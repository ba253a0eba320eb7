// One measurement in a process of its own: prints { ms, rss, entries }.
import { readFileSync } from "node:fs";
import { openFileStore } from "../packages/core/build/stores/files/index.js";

const [way, home, session] = process.argv.slice(2);

function must(result) {
  if (!result.ok) throw result.error;
  return result.value;
}

/** What a plain program would do. */
function parseEveryLine(path) {
  const bytes = readFileSync(path);
  let entries = 0;
  for (let start = 0, end = bytes.indexOf(10); end !== -1; start = end + 1, end = bytes.indexOf(10, start)) {
    JSON.parse(bytes.toString("utf8", start, end));
    entries += 1;
  }
  return entries;
}

const { logs, layout } = must(await openFileStore({ home, project: "bench-00000000" }));
let entries = 0;
const count = () => {
  entries += 1;
};
const started = performance.now();
if (way === "parse") entries = parseEveryLine(must(layout.log(session)));
if (way === "scan") must(await logs.scan(session, count));
const writer = way === "open" ? must(await logs.open(session, count)) : null;
const ms = performance.now() - started;
await writer?.close();
console.log(JSON.stringify({ ms, rss: process.resourceUsage().maxRSS * 1024, entries }));
