import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const versionOf = (file) => JSON.parse(readFileSync(file, "utf8")).version;

/**
 * Installs what a folder with a package and a lockfile of its own needs, where it is not there; gives why that could not
 * be done, or `null`. `what` is for the person who waits, whom `tell` reaches. `npm` is what npm is to do: \`ci\`, unless
 * the lockfile does not have the packages for every platform.
 */
export function installPart(path, what, { tell = console.log, npm = ["ci"] } = {}) {
  const folder = fileURLToPath(new URL(`../${path}`, import.meta.url));
  if (isInstalled(folder)) return null;
  tell(`Installing ${what} (once, into ${path}) …`);
  try {
    execFileSync("npm", [...npm, "--prefix", folder, "--ignore-scripts"], {
      stdio: ["ignore", "ignore", "pipe"],
    });
    return null;
  } catch (error) {
    return reasonOf(error);
  }
}

/** The line of what npm said that tells most. */
export function reasonOf(error) {
  const said = String(error.stderr || error.message)
    .trim()
    .split("\n");
  return said.find((line) => line.startsWith("npm error")) ?? said[0];
}

function isInstalled(folder) {
  const { dependencies } = JSON.parse(readFileSync(`${folder}/package.json`, "utf8"));
  try {
    return Object.entries(dependencies).every(
      ([name, version]) => versionOf(`${folder}/node_modules/${name}/package.json`) === version,
    );
  } catch {
    return false;
  }
}
