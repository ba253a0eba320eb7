import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL("others", import.meta.url));
const versionOf = (file) => JSON.parse(readFileSync(file, "utf8")).version;

/** Installs what is measured beside the engine, on first use; gives why that could not be done, or `null`. */
export function installOthers() {
  if (isInstalled()) return null;
  console.log("Installing what is measured beside the engine (once, into bench/others) …");
  try {
    execFileSync("npm", ["ci", "--prefix", folder, "--ignore-scripts"], {
      stdio: ["ignore", "ignore", "pipe"],
    });
    return null;
  } catch (error) {
    const said = String(error.stderr ?? error.message)
      .trim()
      .split("\n");
    return said.find((line) => line.startsWith("npm error")) ?? said[0];
  }
}

function isInstalled() {
  const { dependencies } = JSON.parse(readFileSync(`${folder}/package.json`, "utf8"));
  try {
    return Object.entries(dependencies).every(
      ([name, version]) => versionOf(`${folder}/node_modules/${name}/package.json`) === version,
    );
  } catch {
    return false;
  }
}
