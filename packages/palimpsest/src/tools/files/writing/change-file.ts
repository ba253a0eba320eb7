import { fail, ok, type Result, type ToolContext, type ToolOutcome } from "@palimpsest/core/spec";
import { findTarget } from "../paths/resolve-path.ts";
import { showPath } from "../paths/show-path.ts";
import { judgeContent, judgedBytes } from "../reading/judge-content.ts";
import { stampOf } from "../reading/read-whole.ts";
import type { TextEncoding } from "../reading/text-encoding.ts";
import { existingFile, type WritingOptions } from "./existing-file.ts";
import { replaceFile } from "./replace-file.ts";

export interface FileChange {
  readonly bytes: Uint8Array;
  /** The report for the model. */
  readonly report: string;
}

/** Changes a text file as a whole or not at all. */
export async function changeFile(
  options: WritingOptions,
  givenPath: string,
  context: ToolContext,
  change: (bytes: Uint8Array, encoding: TextEncoding, path: string) => Result<FileChange>,
): Promise<Result<ToolOutcome>> {
  const target = await findTarget(options.fileSystem, givenPath, context);
  if (!target.ok) return target;
  const path = target.value;
  const existing = await existingFile(options, path, givenPath, context);
  if (!existing.ok) return existing;
  const { bytes, facts } = existing.value;
  const content = judgeContent(bytes.subarray(0, judgedBytes));
  if (content.kind !== "text") {
    return fail("unknown-format", `${showPath(givenPath)} is no text file.`, {
      path,
      fix: "Change it with a program in Bash that knows the format.",
    });
  }
  const changed = change(bytes, content.encoding, path);
  if (!changed.ok) return changed;
  if (Buffer.compare(changed.value.bytes, bytes) === 0) {
    return fail("invalid-input", "The change would leave the file as it is.", {
      fix: "Nothing was written. Check whether it is done already.",
    });
  }
  const id = context.ids.next("write");
  const written = await replaceFile(options.fileSystem, {
    path,
    bytes: changed.value.bytes,
    before: facts,
    id,
  });
  if (!written.ok) return written;
  const stamp = stampOf(path, changed.value.bytes, written.value.modifiedMs);
  return ok({ content: changed.value.report, files: [stamp] });
}
