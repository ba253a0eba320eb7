import { isAbsolute, relative } from "node:path";
import type { FileSystem } from "../disk/file-system.ts";
import { showPath } from "./show-path.ts";

/** Shows real paths as calls may name them: from the working folder on where they are below it, else absolute. */
export async function createPathView(fileSystem: FileSystem, cwd: string): Promise<(path: string) => string> {
  const real = await fileSystem.realPath(cwd);
  const folder = real.ok ? real.value : cwd;
  return (path) => {
    const below = relative(folder, path);
    const isBelow = below !== "" && below !== ".." && !below.startsWith("../") && !isAbsolute(below);
    return showPath(isBelow ? below : path);
  };
}
