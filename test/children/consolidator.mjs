// Wants the lock of a memory folder when a line comes in, and prints "acquired" or the refusal; keeps it until it is
// told to end: "complete", "abandon", or killed. Arguments: folder.
import { writeSync } from "node:fs";
import { createInterface } from "node:readline";
import { createRuntime } from "../../packages/core/build/runtime.js";
import { createFileConsolidateLock } from "../../packages/core/build/stores/files/consolidate-lock/consolidate-lock.js";
import { createNodeDisk } from "../../packages/core/build/stores/files/disk/node-disk.js";

const [folder] = process.argv.slice(2);
const lock = createFileConsolidateLock({ ...createRuntime(), disk: createNodeDisk(), folder });
let held;

writeSync(1, "ready\n");
for await (const word of createInterface({ input: process.stdin })) {
  const result = word === "acquire" ? await lock.acquire() : await held[word]();
  if (word === "acquire" && result.ok) held = result.value;
  const answer = word === "acquire" ? "acquired" : "ended";
  writeSync(1, result.ok ? `${answer}\n` : `refused ${result.error.code}\n`);
}
