// Raises numbers in the memories of a folder by compare-and-swap, and prints each acknowledged one:
// "<path> <version> <number>". Arguments: folder, times, topics, index of the writer, and "unmasked" where secrets are
// not looked for: that takes most of a write's time.
import { writeSync } from "node:fs";
import { openMemory } from "../../packages/core/build/session/memory/open-memory.js";

const [dir, times, topics, offset, how] = process.argv.slice(2);
const memory = await openMemory({
  dir,
  durable: false,
  ...(how === "unmasked" && { maskSecrets: false }),
  onProblem: (problem) => writeSync(1, `problem ${problem.code} ${problem.message}\n`),
});

/** Writers who met pause for a time chosen by chance, longer each time they meet again. */
const shortestPauseMs = 8;
const longestPauseMs = 256;
let pauseMs = shortestPauseMs;

/** The description, and with it the index, changes now and then. */
const text = (path, number) =>
  `---\nname: ${path}\ndescription: over ${Math.floor(number / 50)}\ntype: reference\n---\n\n${number}\n`;

for (let done = 0; done < Number(times); ) {
  const path = `topic-${(Number(offset) + done) % Number(topics)}.md`;
  const read = await memory.read(path);
  const next = Number(read.memory.body) + 1;
  try {
    const { version } = await memory.write(path, text(path, next), {
      author: "agent",
      session: `writer-${offset}`,
      trust: "trusted",
      expect: read.version.version,
    });
    pauseMs = shortestPauseMs;
    done += 1;
    writeSync(1, `${path} ${version.version} ${next}\n`);
  } catch (error) {
    if (error.code !== "conflict" || !Number.isInteger(error.facts.version)) {
      writeSync(1, `failed ${error.code} ${error.message}\n`);
      process.exit(3);
    }
    await new Promise((resolve) => setTimeout(resolve, Math.random() * pauseMs));
    pauseMs = Math.min(pauseMs * 2, longestPauseMs);
  }
}
