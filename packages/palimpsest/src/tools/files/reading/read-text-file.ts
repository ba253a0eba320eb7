import { type FileStamp, fail, ok, type Result } from "@palimpsest/core/spec";
import type { FileSystem } from "../disk/file-system.ts";
import { nodeFileSystem } from "../disk/node-file-system.ts";
import { openTarget } from "../paths/open-target.ts";
import { judgeContent, judgedBytes } from "./judge-content.ts";
import { readWhole } from "./read-whole.ts";
import { createTextDecoder } from "./text-encoding.ts";

/** More of a file than anybody is shown at once. */
const maxBytes = 1024 * 1024;

/** A text file as it is now, whole, with the stamp by which it counts as read. */
export async function readTextFile(
  path: string,
  signal: AbortSignal,
  fileSystem: FileSystem = nodeFileSystem,
): Promise<Result<{ readonly text: string; readonly stamp: FileStamp }>> {
  const real = await fileSystem.realPath(path);
  if (!real.ok) return real;
  const opened = await openTarget(fileSystem, real.value);
  if (!opened.ok) return opened;
  try {
    const limit = { maxBytes, fix: "Read a part of it." };
    const whole = await readWhole(opened.value, real.value, limit, signal);
    if (!whole.ok) return whole;
    const { bytes, stamp } = whole.value;
    const judged = judgeContent(bytes.subarray(0, judgedBytes));
    if (judged.kind !== "text") return fail("invalid-input", "it is no text", { path });
    return ok({ text: createTextDecoder(judged.encoding).decode(bytes), stamp });
  } finally {
    await opened.value.close();
  }
}
