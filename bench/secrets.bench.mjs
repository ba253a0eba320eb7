// npm run bench -- secrets: what the masking of secrets takes for one in this repository, and how fast it is.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createSecretMask } from "../packages/core/build/session/secrets/index.js";
import { machineLine } from "./machine-line.mjs";

const mask = createSecretMask({ key: "only for this bench" });
const files = execFileSync("git", ["ls-files"], { encoding: "utf8" })
  .split("\n")
  .filter(
    (path) => /\.(?:ts|mjs|md|json|jsonc)$/.test(path) && !path.startsWith("packages/palimpsest/assets/"),
  );

const parts = new Map([
  ["source", []],
  ["tests, which hold made-up keys", []],
  ["the rest", []],
]);
function partOf(path) {
  if (/\.test\.ts$|^test\//.test(path)) return "tests, which hold made-up keys";
  return path.startsWith("packages/") ? "source" : "the rest";
}

console.log(machineLine());
await mask.mask("warm up");
let chars = 0;
const started = performance.now();
for (const path of files) {
  const text = readFileSync(path, "utf8");
  chars += text.length;
  const masked = await mask.mask(text);
  if (!masked.ok) throw masked.error;
  for (const { kind, occurrences } of masked.value.secrets) {
    parts.get(partOf(path)).push(`${path}: ${kind}, ${occurrences}×`);
  }
}
const seconds = (performance.now() - started) / 1000;
console.log(
  `${files.length} files, ${(chars / 1e6).toFixed(1)} MB: ${(chars / 1e6 / seconds).toFixed(1)} MB/s`,
);
for (const [part, found] of parts) {
  console.log(`\nFound in ${part}: ${found.length}`);
  for (const line of found) console.log(`  ${line}`);
}
