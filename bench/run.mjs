// npm run bench -- NAME [options]: runs one benchmark of this folder; without a name, lists them.
import { readdirSync } from "node:fs";

const folder = new URL(".", import.meta.url);
const names = readdirSync(folder)
  .filter((name) => name.endsWith(".bench.mjs"))
  .map((name) => name.replace(".bench.mjs", ""));
const [name] = process.argv.slice(2);
if (!names.includes(name)) {
  console.error(`Usage: npm run bench -- NAME [options]\nBenchmarks: ${names.join(", ")}`);
  process.exitCode = 2;
} else {
  await import(new URL(`${name}.bench.mjs`, folder).href);
}
