import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { packages } from "../../scripts/bundle/entries.mjs";
import { putBeside } from "../../scripts/bundle/put-beside.mjs";
import { root } from "../house/source-files.ts";

export interface Tarball {
  /** The folder under `packages` that it was made of. */
  readonly folder: string;
  readonly name: string;
  readonly path: string;
  /** Paths inside of it. */
  readonly files: readonly string[];
}

/** Packs what is built into tarballs, as `npm publish` would. It builds nothing: other tests are using what is built. */
export async function packPackages(into: string): Promise<readonly Tarball[]> {
  const tarballs: Tarball[] = [];
  for (const folder of packages) tarballs.push(await pack(folder, into));
  return tarballs;
}

async function pack(folder: string, into: string): Promise<Tarball> {
  const cwd = join(root, "packages", folder);
  if (!existsSync(join(cwd, "dist/index.js")))
    throw new Error(`packages/${folder} is not built: run “npm run build” first.`);
  putBeside(folder, cwd);
  const args = ["pack", "--ignore-scripts", "--json", "--pack-destination", into];
  const { stdout } = await promisify(execFile)("npm", args, { cwd });
  // A list or, of newer versions of npm, an object by name.
  const [packed] = Object.values(JSON.parse(stdout)) as readonly Packed[];
  if (packed === undefined) throw new Error(`npm packed nothing of packages/${folder}.`);
  const { name, filename, files } = packed;
  return { folder, name, path: join(into, filename), files: files.map(({ path }) => path) };
}

interface Packed {
  readonly name: string;
  readonly filename: string;
  readonly files: readonly { readonly path: string }[];
}
