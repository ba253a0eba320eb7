import { fail, type Result, type ToolContext } from "@palimpsest/core/spec";
import type { FileSystem } from "../disk/file-system.ts";
import { resolvePath } from "./resolve-path.ts";
import { showPath } from "./show-path.ts";

/** The real path that a call means, if it is one that permission was given for. */
export async function findTarget(
  fileSystem: FileSystem,
  path: string,
  { cwd, allowedPaths }: Pick<ToolContext, "cwd" | "allowedPaths">,
): Promise<Result<string>> {
  const real = await resolvePath(fileSystem, path, cwd);
  if (!real.ok || !allowedPaths || allowedPaths.includes(real.value)) return real;
  return fail(
    "denied",
    `${showPath(path)} leads to ${showPath(real.value)}, which permission was not given for.`,
    {
      path: real.value,
      fix: "Call again, so that permission is asked for where it leads now.",
    },
  );
}
