// Raises the number in counter.md, and prints each acknowledged one: "<version> <number>".
// Arguments: folder, times, durable.
import { writeSync } from "node:fs";
import { createRuntime } from "../../packages/core/build/runtime.js";
import { createNodeDisk } from "../../packages/core/build/stores/files/disk/node-disk.js";
import { createFileTree } from "../../packages/core/build/stores/files/trees/file-tree.js";

const [folder, times, durable] = process.argv.slice(2);
const tree = createFileTree({
  ...createRuntime(),
  disk: createNodeDisk(),
  folder,
  durable: durable === "true",
  onProblem: (problem) => writeSync(1, `problem ${problem.code} ${problem.message}\n`),
});

/** Writers who met pause for a time chosen by chance, longer each time they meet again. */
const shortestPauseMs = 8;
const longestPauseMs = 512;
let pauseMs = shortestPauseMs;

function stop(error) {
  writeSync(1, `failed ${error.code} ${error.message}\n`);
  process.exit(3);
}

for (let done = 0; done < Number(times); ) {
  const read = await tree.read("counter.md");
  if (!read.ok) stop(read.error);
  const next = Number(read.value.text) + 1;
  const written = await tree.write("counter.md", String(next), {
    author: "writer",
    session: String(process.pid),
    expect: read.value.version.version,
  });
  if (!written.ok && written.error.code !== "conflict") stop(written.error);
  if (!written.ok) {
    await new Promise((resolve) => setTimeout(resolve, Math.random() * pauseMs));
    pauseMs = Math.min(pauseMs * 2, longestPauseMs);
    continue;
  }
  pauseMs = shortestPauseMs;
  done += 1;
  writeSync(1, `${written.value.version} ${next}\n`);
}
