import { ok, type Result } from "@palimpsest/core/spec";
import { checkRunning } from "../check-running.ts";
import type { ReadableFile } from "../disk/file-system.ts";

/** Bytes that are in memory at once while a file is read from its beginning to its end. */
export const pieceBytes = 256 * 1024;

const smallestRead = 4 * 1024;

/**
 * Hands the bytes of a file on, piece by piece, until its end, or until `take` says `stop`. The end is where no more
 * bytes come: what the system says of a file's size is believed only where the bytes bear it out.
 */
export async function readPieces(
  file: ReadableFile,
  signal: AbortSignal,
  take: (piece: Uint8Array) => "go-on" | "stop" | Promise<"go-on" | "stop">,
): Promise<Result<{ readonly isWhole: boolean }>> {
  for (let position = 0; ; ) {
    const running = checkRunning(signal);
    if (!running.ok) return running;
    const expected = Math.max(smallestRead, file.facts.bytes - position + 1);
    const asked = Math.min(pieceBytes, expected);
    const piece = await file.read(position, asked);
    if (!piece.ok) return piece;
    if (piece.value.length === 0) return ok({ isWhole: true });
    position += piece.value.length;
    if ((await take(piece.value)) === "stop") return ok({ isWhole: false });
    if (piece.value.length < asked && position === file.facts.bytes) return ok({ isWhole: true });
  }
}
