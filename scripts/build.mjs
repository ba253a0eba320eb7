// Builds every package, or those that are named: `build/` is its source as JavaScript, file by file, for benches and
// tests; `dist/` is what is published, in a few files.
import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { bundleCode } from "./bundle/bundle-code.mjs";
import { bundleTypes } from "./bundle/bundle-types.mjs";
import { packages } from "./bundle/entries.mjs";
import { writeLicences } from "./bundle/licences.mjs";
import { buildPage } from "./inspector/build-page.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const named = process.argv.slice(2);
const unknown = named.filter((name) => !packages.includes(name));
if (unknown.length > 0)
  throw new Error(`No such package: ${unknown.join(", ")}. There are ${packages.join(", ")}.`);

for (const name of packages.filter((name) => named.length === 0 || named.includes(name))) {
  const folder = `${root}packages/${name}`;
  rmSync(`${folder}/build`, { recursive: true, force: true });
  rmSync(`${folder}/dist`, { recursive: true, force: true });
  execFileSync(process.execPath, [`${root}node_modules/typescript/bin/tsc`, "-p", folder], {
    stdio: "inherit",
  });
  await bundleTypes(name, folder);
  const foreign = await bundleCode(name, folder);
  if (name === "palimpsest") foreign.push(...(await buildPage()));
  writeLicences(foreign, `${folder}/dist/THIRD-PARTY-LICENSES.txt`);
}
