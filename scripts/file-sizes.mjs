// Prints how long the source files are, the longest first: most near 150 lines, few over 300, one over 500 needs a reason.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const folder = new URL("../packages", import.meta.url).pathname;
const files = readdirSync(folder, { recursive: true })
  .filter((name) => /^\w+\/src\/.*\.tsx?$/.test(name) && !name.includes(".test."))
  .map((name) => ({
    name: `packages/${name}`,
    lines: readFileSync(join(folder, name), "utf8").split("\n").length - 1,
  }))
  .sort((a, b) => b.lines - a.lines);

const at = (share) => files[Math.min(files.length - 1, Math.floor(files.length * (1 - share)))]?.lines ?? 0;
const total = files.reduce((sum, { lines }) => sum + lines, 0);
console.log(
  `${files.length} files, ${total} lines: median ${at(0.5)}, p95 ${at(0.95)}, longest ${files[0]?.lines ?? 0}`,
);
for (const { name, lines } of files.slice(0, 10)) console.log(`${String(lines).padStart(6)}  ${name}`);
const tooLong = files.filter(({ lines }) => lines > 500);
if (tooLong.length > 0) {
  console.error(`Over 500 lines without a reason: ${tooLong.map(({ name }) => name).join(", ")}`);
  process.exitCode = 1;
}
