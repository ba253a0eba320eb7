// Dreams as the scribe when it is told to, by a line on stdin. Prints "dreaming" once it holds the lock and has looked at
// memory, waits for the next line, and prints how it ended. With a number it kills itself, as kill -9 does, before the
// operation of that number after that which changes the memory folder. Arguments: data root, project folder, number.
import { writeSync } from "node:fs";
import { createInterface } from "node:readline";
import { createRuntime } from "../../packages/core/build/runtime.js";
import { createScribeDreamer } from "../../packages/core/build/session/dream/dreamer.js";
import { openDreams } from "../../packages/core/build/session/dream/open-dreams.js";
import { createNodeDisk, openFileStore } from "../../packages/core/build/stores/files/index.js";
import { createFileStore } from "../../packages/core/build/stores/files/store.js";

const [home, cwd, dieAt] = process.argv.slice(2);
const runtime = createRuntime();
const opened = await openFileStore({ home, cwd });
const project = opened.value.layout.root.split("/").at(-1);
let left = dieAt === undefined ? Number.POSITIVE_INFINITY : Number(dieAt);
let isCounting = false;

/** Links and renames make what was written visible. */
const disk = { ...createNodeDisk() };
for (const name of ["link", "rename"]) {
  const act = disk[name];
  disk[name] = (from, to) => {
    if (isCounting && to.includes("/memory/") && !to.includes("consolidate-lock")) left -= 1;
    if (left < 0) process.kill(process.pid, "SIGKILL");
    return act(from, to);
  };
}

const writer = { pid: process.pid, host: "test", version: "0.0.0" };
const store = createFileStore({ ...runtime, home, project, disk, writer });
const dreams = openDreams({ store, clock: runtime.clock, ids: runtime.ids });
const scribe = createScribeDreamer({ numbers: dreams.numbers });
const words = createInterface({ input: process.stdin })[Symbol.asyncIterator]();

writeSync(1, "ready\n");
await words.next();
const report = await dreams.once(
  {
    by: "scribe",
    async dream(...given) {
      writeSync(1, "dreaming\n");
      await words.next();
      isCounting = true;
      return scribe.dream(...given);
    },
  },
  { isByHand: true },
);
const { outcome, message = "" } = report.ok ? report.value : { outcome: report.error.message };
writeSync(1, `${outcome} ${message}\n`);
process.exit(0);
