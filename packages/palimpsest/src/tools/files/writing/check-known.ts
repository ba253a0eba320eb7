import { resolve } from "node:path";
import { type FileStamp, fail, ok, type Result, type ToolContext } from "@palimpsest/core/spec";
import { showPath } from "../paths/show-path.ts";

/**
 * Whether the model has a file before its eyes as it is now. Stamps go by the real path; where the program keeps them
 * by the path of the call, that is asked for too.
 */
export function checkKnown(
  now: FileStamp,
  givenPath: string,
  { fileStamp, cwd }: Pick<ToolContext, "fileStamp" | "cwd">,
): Result<void> {
  const known = fileStamp(now.path) ?? fileStamp(resolve(cwd, givenPath));
  if (known?.sha256 === now.sha256) return ok();
  if (known) {
    return fail("conflict", `${showPath(givenPath)} has changed since it was read.`, {
      path: now.path,
      fix: "Nothing was written. Read it again, then decide what to change.",
    });
  }
  return fail("conflict", `${showPath(givenPath)} exists and was not read, or is no longer in view.`, {
    path: now.path,
    fix: "Nothing was written. Read it first.",
  });
}
