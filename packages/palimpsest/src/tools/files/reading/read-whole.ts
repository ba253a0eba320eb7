import { createHash } from "node:crypto";
import { type FileStamp, fail, ok, type Result } from "@palimpsest/core/spec";
import type { ReadableFile } from "../disk/file-system.ts";
import { showPath } from "../paths/show-path.ts";
import { readPieces } from "./line-page.ts";

export interface WholeFile {
  readonly bytes: Uint8Array;
  readonly stamp: FileStamp;
}

/** All of a file, if it has at most so many bytes. */
export async function readWhole(
  file: ReadableFile,
  path: string,
  limit: { readonly maxBytes: number; readonly fix: string },
  signal: AbortSignal,
): Promise<Result<WholeFile>> {
  const pieces: Uint8Array[] = [];
  let total = 0;
  const read = await readPieces(file, signal, (piece) => {
    total += piece.length;
    pieces.push(piece);
    return total > limit.maxBytes ? "stop" : "go-on";
  });
  if (!read.ok) return read;
  if (!read.value.isWhole) {
    const size = Math.max(file.facts.bytes, total);
    return fail("too-large", `${showPath(path)} has ${size} bytes, over the ${limit.maxBytes} this takes.`, {
      path,
      fix: limit.fix,
    });
  }
  const bytes = Buffer.concat(pieces);
  return ok({ bytes, stamp: stampOf(path, bytes, file.facts.modifiedMs) });
}

export function stampOf(path: string, bytes: Uint8Array, modifiedMs: number): FileStamp {
  return { path, sha256: createHash("sha256").update(bytes).digest("hex"), bytes: bytes.length, modifiedMs };
}
