// Before a package is packed: builds it and those it stands on, and puts beside it what every package has.
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { packages } from "./bundle/entries.mjs";
import { putBeside } from "./bundle/put-beside.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const name = basename(process.cwd());
if (!packages.includes(name)) throw new Error(`${process.cwd()} is none of ${packages.join(", ")}.`);
if (!existsSync(`${root}node_modules/rolldown`)) {
  throw new Error("What builds the packages is not installed: run “npm install” in the repository first.");
}

const needed = packages.slice(0, packages.indexOf(name) + 1);
execFileSync(process.execPath, [`${root}scripts/build.mjs`, ...needed], { stdio: ["ignore", 2, 2] });
putBeside(name, process.cwd());
