// Builds every package, or those that are named: `build/` is its source as JavaScript, file by file, for benches and
// tests; `dist/` is what is published, in a few files.
import { spawn } from "node:child_process";
import { once } from "node:events";
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

const chosen = packages.filter((name) => named.length === 0 || named.includes(name));
const folderOf = (name) => `${root}packages/${name}`;

/** Against the declarations of the packages before it. */
async function compile(name) {
  const args = [`${root}node_modules/typescript/bin/tsc`, "-p", folderOf(name)];
  const compiler = spawn(process.execPath, args, { stdio: "inherit" });
  const [code] = await once(compiler, "exit");
  if (code !== 0) throw new Error(`packages/${name} does not compile.`);
  await bundleTypes(name, folderOf(name));
}

async function bundle(name) {
  const foreign = await bundleCode(name, folderOf(name));
  if (name === "palimpsest") foreign.push(...(await buildPage()));
  writeLicences(foreign, `${folderOf(name)}/dist/THIRD-PARTY-LICENSES.txt`);
}

for (const name of chosen) {
  rmSync(`${folderOf(name)}/build`, { recursive: true, force: true });
  rmSync(`${folderOf(name)}/dist`, { recursive: true, force: true });
}
const bundled = Promise.all(chosen.map(bundle));
for (const name of chosen) await compile(name);
await bundled;
