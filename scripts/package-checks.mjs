// Checks of the package as it would be published: unused files and exports, package metadata, types of every export.
import { spawnSync } from "node:child_process";

const checks = [
  ["file sizes", ["node", "scripts/file-sizes.mjs"]],
  ["knip", ["npx", "knip"]],
  ["publint", ["npx", "publint", "--strict"]],
  ["attw", ["npx", "attw", "--pack", ".", "--profile", "esm-only"]],
];

let failed = false;
for (const [name, [command, ...args]] of checks) {
  console.log(`\n> ${name}`);
  const { status } = spawnSync(command, args, { stdio: "inherit" });
  failed ||= status !== 0;
}
process.exitCode = failed ? 1 : 0;
