import type { ByteSource } from "../../../log/scan-lines.ts";
import { type Disk, fail, ok, type Result } from "../../../spec/index.ts";

const chunkBytes = 1024 * 1024;

export interface FindBytesOptions {
  readonly from?: number;
  readonly until?: number;
  readonly signal?: AbortSignal;
}

/** Whether any of the needles stands in the bytes, in memory that does not grow with them. */
export async function containsBytes(
  source: ByteSource,
  needles: readonly Uint8Array[],
  options: FindBytesOptions = {},
): Promise<Result<boolean>> {
  const { from = 0, until = Number.POSITIVE_INFINITY, signal } = options;
  const overlap = Math.max(...needles.map((needle) => needle.length)) - 1;
  const buffer = Buffer.allocUnsafe(chunkBytes + overlap);
  let kept = 0;
  for (let position = from; position < until; ) {
    if (signal?.aborted) return fail("aborted", "The search was aborted.");
    const room = Math.min(chunkBytes, until - position);
    const read = await source.read(position, buffer.subarray(kept, kept + room));
    if (!read.ok) return read;
    if (read.value === 0) break;
    const filled = buffer.subarray(0, kept + read.value);
    if (needles.some((needle) => filled.includes(Buffer.from(needle)))) return ok(true);
    position += read.value;
    kept = Math.min(overlap, filled.length);
    buffer.copyWithin(0, filled.length - kept, filled.length);
  }
  return ok(false);
}

/** As `containsBytes`, for a file by its path; `false` where there is none. */
export async function fileContains(
  disk: Disk,
  path: string,
  needles: readonly Uint8Array[],
  options: FindBytesOptions = {},
): Promise<Result<boolean>> {
  const file = await disk.open(path, "read");
  if (!file.ok) return file.error.code === "not-found" ? ok(false) : file;
  const found = await containsBytes(file.value, needles, options);
  await file.value.close();
  return found;
}
