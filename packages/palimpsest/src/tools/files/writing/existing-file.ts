import { ok, type Result, type ToolContext } from "@palimpsest/core/spec";
import type { FileFacts, FileSystem } from "../disk/file-system.ts";
import type { FileLimits } from "../file-limits.ts";
import { openTarget } from "../paths/open-target.ts";
import { readWhole, type WholeFile } from "../reading/read-whole.ts";
import { checkKnown } from "./check-known.ts";

export interface ExistingFile extends WholeFile {
  readonly facts: FileFacts;
}

export interface WritingOptions {
  readonly fileSystem: FileSystem;
  readonly limits: FileLimits;
}

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
