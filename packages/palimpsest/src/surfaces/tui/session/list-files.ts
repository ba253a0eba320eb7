import { relative } from "node:path";
import { ok } from "@palimpsest/core/spec";
import { nodeFileSystem } from "../../../tools/files/disk/node-file-system.ts";
import { walkFolder } from "../../../tools/files/walking/walk-folder.ts";

const maxNames = 20_000;

/** Files below a folder that `.gitignore` does not leave out, by their paths from there. */
export async function listFiles(root: string, signal: AbortSignal): Promise<readonly string[]> {
  const paths: string[] = [];
  const options = { root, showsHidden: false, obeysIgnoreFiles: true, maxNames, signal };
  await walkFolder(nodeFileSystem, options, ({ path, kind }) => {
    if (kind === "file") paths.push(relative(root, path));
    return ok("go-on");
  });
  return paths;
}
