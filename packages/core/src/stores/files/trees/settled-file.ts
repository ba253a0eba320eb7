import { type Disk, type DiskFile, fail, ok, type Result } from "../../../spec/index.ts";
import { sha256Of } from "../../shared/sha256.ts";

export interface SettledFile {
  readonly identity: string;
  readonly modifiedMs: number;
  readonly sha256: string;
  readonly content: Uint8Array;
}

const maxTries = 50;

/**
 * A whole file that did not change while it was read, for files that other programs write in place.
 * `too-large` over `maxBytes`; retryable `io` if it never holds still.
 */
export async function readSettledFile(
  disk: Disk,
  path: string,
  maxBytes: number,
): Promise<Result<SettledFile>> {
  const opened = await disk.open(path, "read");
  if (!opened.ok) return opened;
  try {
    return await readUntilSettled(opened.value, path, maxBytes);
  } finally {
    await opened.value.close();
  }
}

async function readUntilSettled(
  file: DiskFile,
  path: string,
  maxBytes: number,
): Promise<Result<SettledFile>> {
  for (let tries = 0; tries < maxTries; tries += 1) {
    const before = await file.stat();
    if (!before.ok) return before;
    const { bytes, modifiedMs, identity } = before.value;
    if (bytes > maxBytes) {
      return fail("too-large", `${path} has ${bytes} bytes, over the limit of ${maxBytes}.`, {
        path,
        fix: "Shorten the file or move it away.",
        facts: { bytes, maxBytes },
      });
    }
    const content = new Uint8Array(bytes);
    const read = await file.read(0, content);
    if (!read.ok) return read;
    const after = await file.stat();
    if (!after.ok) return after;
    if (after.value.bytes === read.value && after.value.modifiedMs === modifiedMs) {
      return ok({ identity, modifiedMs, sha256: sha256Of(content), content });
    }
  }
  return fail("io", `${path} is being written by another program.`, {
    path,
    fix: "Try again when it is finished.",
    retryable: true,
  });
}
