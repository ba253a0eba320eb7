import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { fail, PalimpsestError } from "../../../spec/index.ts";
import { diskFailure } from "../../../stores/files/disk-failure.ts";
import type { Terminal } from "../terminal.ts";
import type { TranscriptTarget } from "./find-transcript.ts";

const chunkBytes = 1024 * 1024;
/** Reading that takes no longer shows no progress. */
const quietMs = 700;
const refreshMs = 150;

/** The bytes of a transcript. Throws a typed error where they cannot be read. Links are followed: a person named it. */
export function transcriptChunks(target: TranscriptTarget, terminal: Terminal): AsyncIterable<Uint8Array> {
  return target.kind === "input" ? terminal.input() : fileChunks(target.path, terminal);
}

/** What a person calls it. */
export function transcriptName(target: TranscriptTarget): string {
  return target.kind === "input" ? "standard input" : target.path;
}

async function* fileChunks(path: string, terminal: Terminal): AsyncGenerator<Uint8Array> {
  const { signal } = terminal;
  let shownMs = performance.now() + quietMs - refreshMs;
  let read = 0;
  try {
    const { size } = await stat(path);
    for await (const chunk of createReadStream(path, { highWaterMark: chunkBytes, signal })) {
      read += (chunk as Uint8Array).length;
      if (performance.now() - shownMs > refreshMs) {
        shownMs = performance.now();
        terminal.progress(`reading ${Math.floor((read / Math.max(size, read)) * 100)} %`);
      }
      yield chunk as Uint8Array;
    }
  } catch (cause) {
    if (signal.aborted) throw fail("aborted", `Reading ${path} was interrupted.`).error;
    if (PalimpsestError.isInstance(cause)) throw cause;
    const failure = diskFailure("read", path, cause);
    throw failure.ok ? cause : failure.error;
  }
}
