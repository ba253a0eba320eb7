// The first answer of a process of its own: prints { ms, ownMs, cpuMs, hits, rss }, since the process began and since its
// modules were loaded.

import { createRuntime } from "../packages/core/build/runtime.js";
import { openRecall } from "../packages/core/build/session/recall-index/index.js";
import { openFileStore } from "../packages/core/build/stores/files/index.js";

const startedMs = performance.now();
const [home, query] = process.argv.slice(2);
const opened = await openFileStore({ home, project: "bench-00000000" });
if (!opened.ok) throw opened.error;
const store = opened.value;
const recall = openRecall({
  ...createRuntime(),
  store,
  disk: store.disk,
  folder: `${store.layout.root}/recall`,
});
const answer = await recall.search(query);
if (!answer.ok) throw answer.error;
const ms = performance.now();
const { user, system } = process.cpuUsage();
const { maxRSS } = process.resourceUsage();
console.log(
  JSON.stringify({
    ms,
    ownMs: ms - startedMs,
    cpuMs: (user + system) / 1000,
    hits: answer.value.hits.length,
    rss: maxRSS * 1024,
  }),
);
