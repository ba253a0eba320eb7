import { execFileSync } from "node:child_process";
import { lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { packages } from "../scripts/bundle/entries.mjs";

/** Packs every package as it would be published; gives { name, path, files, bytes } of each tarball, in the order they are built. */
export function packPackages(folder) {
  return packages.map((name) => {
    const said = execFileSync("npm", ["pack", "--json", "--pack-destination", folder], {
      cwd: fileURLToPath(new URL(`../packages/${name}`, import.meta.url)),
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
    });
    const [packed] = Object.values(JSON.parse(said));
    const { name: full, filename, entryCount, size } = packed;
    return { name: full, path: join(folder, filename), files: entryCount, bytes: size };
  });
}

/** Installs tarballs into an empty project, as a user would. */
export function installTarballs(tarballs, folder) {
  mkdirSync(folder);
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, type: "module" }));
  const options = ["--no-audit", "--no-fund", "--prefix", folder];
  execFileSync("npm", ["install", ...options, ...tarballs.map(({ path }) => path)], {
    cwd: folder,
    stdio: ["ignore", "ignore", "pipe"],
  });
}

/** What a project has installed: the bytes on disk as `du` counts them, and how many packages. */
export function installSize(folder) {
  const modules = join(folder, "node_modules");
  const bytes = readdirSync(modules, { recursive: true, encoding: "utf8" })
    .map((path) => lstatSync(join(modules, path)))
    .reduce((sum, { blocks, size }) => sum + (blocks === undefined ? size : blocks * 512), 0);
  const { packages: installed } = JSON.parse(readFileSync(join(modules, ".package-lock.json"), "utf8"));
  return { bytes, packages: Object.keys(installed).length };
}
