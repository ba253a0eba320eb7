import { execFile } from "node:child_process";
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { packageIn } from "../../scripts/bundle/package-aliases.mjs";
import { root } from "../house/source-files.ts";
import { installedAt } from "./installed-package.ts";
import type { Tarball } from "./pack-packages.ts";

export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Installs tarballs into an empty folder outside the repository, as a user would, with the types of Node and no optional
 * peer. No script of a package is run: none may be needed.
 */
export async function installConsumer(project: string, tarballs: readonly Tarball[]): Promise<void> {
  mkdirSync(project);
  writeJson(join(project, "package.json"), { private: true, type: "module" });
  const types = `@types/node@${packageIn(join(root, "node_modules/@types/node")).version}`;
  const options = ["--ignore-scripts", "--prefer-offline", "--no-audit", "--no-fund", "--prefix", project];
  const asked = [...tarballs.map(({ path }) => path), types];
  await promisify(execFile)("npm", ["install", ...options, ...asked], { cwd: project });
}

/**
 * A folder in the project that has, besides the packages, the libraries that adapters are for. The packages are copied:
 * links would lead out of it again.
 */
export function addLibraries(project: string, tarballs: readonly Tarball[]): string {
  const folder = join(project, "with-libraries");
  for (const { name } of tarballs)
    cpSync(installedAt(project, name), installedAt(folder, name), { recursive: true });
  const adapters = join(root, "test/adapters");
  for (const name of Object.keys(packageIn(adapters).dependencies)) {
    const link = installedAt(folder, name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(installedAt(adapters, name), link);
  }
  return folder;
}

/** Runs Node as a person with an empty home in `cwd` would: nothing of this process's environment is told. */
export function runNode(cwd: string, args: readonly string[]): Promise<Ended> {
  return runProgram(process.execPath, cwd, args);
}

export function runProgram(program: string, cwd: string, args: readonly string[]): Promise<Ended> {
  const { PATH = "" } = process.env;
  const env = { PATH, TZ: "UTC", HOME: "/nonexistent", PALIMPSEST_HOME: join(cwd, "home") };
  return new Promise((resolve) => {
    const child = execFile(program, [...args], { cwd, env, maxBuffer: 2 ** 26 }, (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === "number" ? error.code : -1;
      resolve({ code, stdout, stderr });
    });
    child.stdin?.end();
  });
}

/** Copies an example of the documentation into a folder and runs it there. */
export function runExample(folder: string, example: string): Promise<Ended> {
  cpSync(join(root, "examples", example), join(folder, example));
  return runNode(folder, [example]);
}

/** Every program of `programs`, for a compiler to find. */
export function addPrograms(project: string): void {
  cpSync(join(root, "test/packages/programs"), join(project, "programs"), { recursive: true });
}

/** Writes a file of the project, and its folder. */
export function writeIn(project: string, path: string, text: string): void {
  mkdirSync(dirname(join(project, path)), { recursive: true });
  writeFileSync(join(project, path), text);
}

const writeJson = (path: string, value: unknown) => writeFileSync(path, JSON.stringify(value, null, 2));
