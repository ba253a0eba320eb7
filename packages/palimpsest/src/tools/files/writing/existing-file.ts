import { resolve } from "node:path";
import { type FileStamp, fail, ok, type Result, type Tool, type ToolContext } from "@palimpsest/core/spec";
import type { FileFacts, FileSystem } from "../disk/file-system.ts";
import type { FileLimits } from "../file-limits.ts";
import { openTarget } from "../paths/resolve-path.ts";
import { showPath } from "../paths/show-path.ts";
import { readWhole, type WholeFile } from "../reading/read-whole.ts";

export interface ExistingFile extends WholeFile {
  readonly facts: FileFacts;
}

export interface WritingOptions {
  readonly fileSystem: FileSystem;
  readonly limits: FileLimits;
}

/** Of every tool that changes files. */
export const editingLines: Tool["promptLines"] = [
  {
    section: "tools",
    text: "A file must be read before it is edited. If it was changed since, read it again.",
  },
];

/** A file that may be changed: regular, small enough, writable, and before the model's eyes as it is. */
export async function existingFile(
  { fileSystem, limits }: WritingOptions,
  path: string,
  givenPath: string,
  context: ToolContext,
): Promise<Result<ExistingFile>> {
  const opened = await openTarget(fileSystem, path);
  if (!opened.ok) return opened;
  const file = opened.value;
  try {
    const limit = {
      maxBytes: limits.editBytes,
      fix: "Change it with a program in Bash (such as sed), or write to another file.",
    };
    const whole = await readWhole(file, path, limit, context.signal);
    if (!whole.ok) return whole;
    const writable = await fileSystem.checkWritable(path);
    if (!writable.ok) return writable;
    const known = checkKnown(whole.value.stamp, givenPath, context);
    return known.ok ? ok({ ...whole.value, facts: file.facts }) : known;
  } finally {
    await file.close();
  }
}

/**
 * Whether the model has a file before its eyes as it is now. Stamps go by the real path; where the program keeps them
 * by the path of the call, that is asked for too.
 */
function checkKnown(
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
