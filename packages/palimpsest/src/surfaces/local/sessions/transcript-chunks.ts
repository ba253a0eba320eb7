import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { diskFailure } from "@palimpsest/core/internal";
import { fail, PalimpsestError } from "@palimpsest/core/spec";
import { orThrow } from "../or-throw.ts";
import type { Terminal } from "../terminal.ts";
import type { FoundSession } from "./find-session.ts";
import type { TranscriptTarget } from "./find-transcript.ts";

const chunkBytes = 1024 * 1024;
/** Reading that takes no longer shows no progress. */
const quietMs = 700;
const refreshMs = 150;

/** The bytes of a transcript. Throws a typed error where they cannot be read. Links are followed: a person named it. */
export function transcriptChunks(target: TranscriptTarget, terminal: Terminal): AsyncIterable<Uint8Array> {
  switch (target.kind) {
    case "input":
      return terminal.input();
    case "file":
      return fileChunks(target.path, terminal);
    case "session":
      return sessionChunks(target, terminal);
  }
}

/** A person's name for it. */
export function transcriptName(target: TranscriptTarget): string {
  if (target.kind === "input") return "standard input";
  return target.kind === "session" ? target.address : target.path;
}

type Progress = (read: number, size: number) => void;

/** Says how far reading is, once it takes a while. */
function createProgress(terminal: Terminal): Progress {
  let shownMs = performance.now() + quietMs - refreshMs;
  return (read, size) => {
    if (performance.now() - shownMs <= refreshMs) return;
    shownMs = performance.now();
    terminal.progress(`reading ${Math.floor((read / Math.max(size, read)) * 100)} %`);
  };
}

async function* sessionChunks(
  { store, session }: FoundSession,
  terminal: Terminal,
): AsyncGenerator<Uint8Array> {
  const tell = createProgress(terminal);
  const stamp = orThrow(await store.sessions.stamp(session));
  let read = 0;
  for await (const chunk of store.sessions.lines(session, terminal.signal)) {
    const bytes = orThrow(chunk);
    read += bytes.length;
    tell(read, stamp.bytes);
    yield bytes;
  }
}

async function* fileChunks(path: string, terminal: Terminal): AsyncGenerator<Uint8Array> {
  const { signal } = terminal;
  const tell = createProgress(terminal);
  let read = 0;
  try {
    const { size } = await stat(path);
    for await (const chunk of createReadStream(path, { highWaterMark: chunkBytes, signal })) {
      read += (chunk as Uint8Array).length;
      tell(read, size);
      yield chunk as Uint8Array;
    }
  } catch (cause) {
    if (signal.aborted) throw fail("aborted", `Reading ${path} was interrupted.`).error;
    if (PalimpsestError.isInstance(cause)) throw cause;
    const failure = diskFailure("read", path, cause);
    throw failure.ok ? cause : failure.error;
  }
}
