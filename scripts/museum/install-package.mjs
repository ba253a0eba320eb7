import { execFile } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { gunzipSync } from "node:zlib";
import { reasonOf } from "../install-part.mjs";

const run = promisify(execFile);

/** Where this repository has the optional peers that a user of the package may have installed beside it. */
const peerFolders = ["../../node_modules", "../../test/adapters/node_modules"].map((path) =>
  fileURLToPath(new URL(path, import.meta.url)),
);

/** What is wrong with a file that should be a packed package; `null` where nothing is. */
export function tarballProblem(path) {
  if (!existsSync(path)) return `There is no file ${path}.`;
  if (!statSync(path).isFile()) return `${path} is not a file.`;
  try {
    if (firstName(gunzipSync(readFileSync(path))).startsWith("package/")) return null;
  } catch {
    // Not gzip: the same answer.
  }
  return `${path} is not a package: make one with “npm pack”.`;
}

/** A tar file begins with the name of its first member. */
const firstName = (tar) => tar.subarray(0, 100).toString("utf8").split("\0", 1)[0];

/** Installs a packed package into a folder as a user would; gives the folder of the package. Throws where npm cannot. */
export async function installPackage(tarball, folder) {
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true }));
  const options = ["--no-save", "--no-audit", "--no-fund", "--prefix", folder];
  try {
    await run("npm", ["install", ...options, resolve(tarball)], { cwd: folder });
  } catch (error) {
    throw new Error(`${tarball} could not be installed: ${reasonOf(error)}`);
  }
  const installed = join(folder, "node_modules/palimpsest");
  if (!existsSync(installed)) throw new Error(`${tarball} is another package than palimpsest.`);
  linkPeers(installed, join(folder, "node_modules"));
  return installed;
}

/** Adapters and stores load optional peers: they find those of this repository. */
function linkPeers(installed, modules) {
  const { peerDependencies = {} } = JSON.parse(readFileSync(join(installed, "package.json"), "utf8"));
  for (const name of Object.keys(peerDependencies)) {
    const found = peerFolders.map((folder) => join(folder, name)).find((path) => existsSync(path));
    if (found === undefined || existsSync(join(modules, name))) continue;
    mkdirSync(dirname(join(modules, name)), { recursive: true });
    symlinkSync(found, join(modules, name));
  }
}
