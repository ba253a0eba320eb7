import { chunkBytes } from "../../../log/scan-lines.ts";
import { type ArchivePiece, type Disk, fail, ok, type Result } from "../../../spec/index.ts";
import { folderOf, writeWholeFile } from "../disk/whole-file.ts";

type LogPiece = Extract<ArchivePiece, { readonly kind: "log" }>;

/** A part ends behind the first newline over this. */
const partBytes = 4 * chunkBytes;
const newline = 0x0a;

/** A log in parts of whole lines. What stands behind its last newline is no entry, and is in none. */
export async function logParts(
  disk: Disk,
  path: string,
  session: string,
): Promise<Result<readonly LogPiece[]>> {
  const opened = await disk.open(path, "read");
  if (!opened.ok) return opened;
  const parts: LogPiece[] = [];
  const buffer = Buffer.allocUnsafeSlow(chunkBytes);
  let at = 0;
  let lineEnd = 0;
  try {
    for (let position = 0; ; ) {
      const read = await opened.value.read(position, buffer);
      if (!read.ok) return read;
      const last = buffer.subarray(0, read.value).lastIndexOf(newline);
      if (last !== -1) lineEnd = position + last + 1;
      position += read.value;
      const isOver = read.value === 0;
      if (lineEnd > at && (isOver || lineEnd - at >= partBytes)) {
        parts.push({ kind: "log", session, at, bytes: lineEnd - at });
        at = lineEnd;
      }
      if (isOver) return ok(parts);
    }
  } finally {
    await opened.value.close();
  }
}

export async function readLogPart(
  disk: Disk,
  path: string,
  piece: LogPiece,
): Promise<Result<Uint8Array | null>> {
  const opened = await disk.open(path, "read");
  if (!opened.ok) return opened.error.code === "not-found" ? ok(null) : opened;
  const bytes = new Uint8Array(piece.bytes);
  const read = await opened.value.read(piece.at, bytes);
  await opened.value.close();
  if (!read.ok) return read;
  return ok(read.value === 0 ? null : bytes.subarray(0, read.value));
}

/** Adds lines at the end, where they belong. A part that an interruption left unfinished is written anew. */
export async function writeLogPart(
  disk: Disk,
  path: string,
  temporary: string,
  piece: LogPiece,
  content: Uint8Array,
): Promise<Result<void>> {
  if (piece.at === 0) {
    const made = await disk.makeDirectory(folderOf(path));
    if (!made.ok) return made;
    const written = await writeWholeFile(disk, path, content, { temporary, durable: true, when: "absent" });
    return !written.ok && written.error.code === "exists" ? resume(disk, path, piece, content) : written;
  }
  return resume(disk, path, piece, content);
}

async function resume(disk: Disk, path: string, piece: LogPiece, content: Uint8Array): Promise<Result<void>> {
  const opened = await disk.open(path, "append");
  if (!opened.ok) return opened;
  const file = opened.value;
  try {
    const stat = await file.stat();
    if (!stat.ok) return stat;
    const present = new Uint8Array(Math.max(0, Math.min(stat.value.bytes - piece.at, content.length)));
    const read = await file.read(piece.at, present);
    if (!read.ok) return read;
    const isSame = Buffer.compare(present, content.subarray(0, present.length)) === 0;
    if (stat.value.bytes < piece.at || !isSame) return refuseOtherLog(path, piece.session);
    if (present.length === content.length) return ok();
    const added = await file.append(content.subarray(present.length));
    return added.ok ? file.sync() : added;
  } finally {
    await file.close();
  }
}

function refuseOtherLog(path: string, session: string): Result<never> {
  return fail("exists", `Session ${session} is there already, with other entries.`, {
    path,
    fix: "Remove one of the two, or copy into an empty store.",
  });
}
