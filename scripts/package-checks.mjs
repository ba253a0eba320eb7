// Checks of the repository (file sizes, what is unused) and of every package as it would be published: its metadata and the
// types of every export. They look at what “npm run build” has built.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { packages } from "./bundle/entries.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const unbuilt = packages.filter((name) => !existsSync(`${root}packages/${name}/dist`));
if (unbuilt.length > 0) throw new Error(`Not built: ${unbuilt.join(", ")}. Run “npm run build” first.`);

const checks = [
  { name: "file sizes", command: ["node", "scripts/file-sizes.mjs"] },
  { name: "knip", command: ["npx", "knip"] },
  ...packages.flatMap((name) => [
    { name: `publint of ${name}`, folder: name, command: ["npx", "publint", "--strict"] },
    {
      name: `attw of ${name}`,
      folder: name,
      command: ["npx", "attw", "--pack", ".", "--profile", "esm-only"],
    },
  ]),
];

/** Packing would build each package again, and those below it. */
const env = { ...process.env, npm_config_ignore_scripts: "true" };

function passes({ name, folder, command: [program, ...args] }) {
  console.log(`\n> ${name}`);
  const cwd = folder === undefined ? root : `${root}packages/${folder}`;
  return spawnSync(program, args, { stdio: "inherit", cwd, env }).status === 0;
}

const failed = checks.filter((check) => !passes(check));
console.log(
  failed.length === 0
    ? `\nAll ${checks.length} checks pass.`
    : `\nFailed: ${failed.map(({ name }) => name).join(", ")}.`,
);
process.exitCode = failed.length === 0 ? 0 : 1;
