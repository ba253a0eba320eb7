import { gunzipSync } from "node:zlib";
import { detectFormat, type ImportReport, importTranscript } from "@palimpsest/core";
import {
  type ByteSource,
  createLineJudge,
  createLookahead,
  gunzipChunks,
  headBytes,
  isGzip,
  type Lookahead,
  maxLineBytes,
  scanLines,
} from "@palimpsest/core/internal";
import { type Entry, fail, type LogReport, ok, PalimpsestError, type Result } from "@palimpsest/core/spec";
import type { EntrySummary, TranscriptSummary } from "./session-summary.ts";

export type TranscriptReport =
  | { readonly format: "palimpsest"; readonly log: LogReport; readonly gzipDamage: string | null }
  | { readonly format: ImportReport["format"]; readonly imported: ImportReport };

interface ReadTranscriptOptions {
  /** The name in errors. */
  readonly name: string;
  /** It stands where our own logs stand: it is one, even if nothing in it can be read. */
  readonly isOwnPlace: boolean;
  readonly signal: AbortSignal;
  /** Called between chunks: what was visited may be worked off before more comes. */
  readonly pause?: () => Promise<Result<void>>;
}

/** Reads a transcript of any known format, ours too, plain or gzip. Takes no lease and changes nothing. */
export async function readTranscript(
  chunks: AsyncIterable<Uint8Array>,
  options: ReadTranscriptOptions,
  visit: (entry: Entry) => void,
): Promise<Result<TranscriptReport>> {
  const { name, pause = async () => ok() } = options;
  let stopped: Result<never> | null = null;

  async function* paused(): AsyncGenerator<Uint8Array> {
    for await (const chunk of chunks) {
      const gone = options.signal.aborted
        ? fail("aborted", `Reading ${name} was interrupted.`)
        : await pause();
      if (!gone.ok) {
        stopped = gone;
        return;
      }
      yield chunk;
    }
  }

  const raw = createLookahead(paused());
  const format = detectFormat(unzippedHead(await raw.peek(headBytes)));
  const isOwn = format === "palimpsest" || (options.isOwnPlace && format === "unknown");
  const failedEarly = failureOf(raw, stopped);
  if (failedEarly !== null) return failedEarly;
  const read = isOwn
    ? await readOwnLog(raw, options.signal, visit)
    : await importTranscript(raw.chunks(), { file: name, signal: options.signal }, visit);
  await raw.close();
  const failed = failureOf(raw, stopped);
  if (failed !== null) return failed;
  const worked = await pause();
  if (!worked.ok) return worked;
  if (!read.ok) return read;
  return ok("log" in read.value ? read.value : { format: read.value.format, imported: read.value });
}

function failureOf({ failure }: Lookahead, stopped: Result<never> | null): Result<never> | null {
  if (stopped !== null) return stopped;
  if (failure === undefined) return null;
  if (PalimpsestError.isInstance(failure.cause)) return { ok: false, error: failure.cause };
  throw failure.cause;
}

/** A cut gzip gives what can be had of it. */
function unzippedHead(head: Uint8Array): Uint8Array {
  if (!isGzip(head)) return head;
  try {
    return gunzipSync(head, { finishFlush: 2, maxOutputLength: headBytes * 1024 });
  } catch {
    return head;
  }
}

async function readOwnLog(
  raw: Lookahead,
  signal: AbortSignal,
  visit: (entry: Entry) => void,
): Promise<Result<Extract<TranscriptReport, { log: LogReport }>>> {
  let gzipDamage: string | null = null;
  const isZipped = isGzip(await raw.peek(2));
  const chunks = isZipped
    ? gunzipChunks(raw.chunks(), (reason) => {
        gzipDamage = reason;
      })
    : raw.chunks();
  const judge = createLineJudge(visit);
  const { line, longLine } = judge;
  const lines = await scanLines(sequentialSource(chunks), line, {
    from: 0,
    maxLineBytes,
    onLongLine: longLine,
    signal,
  });
  if (!lines.ok) return lines;
  judge.tail(lines.value.end, lines.value.tailBytes, false);
  return ok({ format: "palimpsest", log: judge.report(), gzipDamage });
}

/** Can be read from start to end, once. */
function sequentialSource(chunks: AsyncGenerator<Uint8Array>): ByteSource {
  let rest: Uint8Array = new Uint8Array(0);
  return {
    async read(_position, into) {
      let filled = 0;
      while (filled < into.length) {
        if (rest.length === 0) {
          const next = await chunks.next();
          if (next.done) break;
          rest = next.value;
        }
        const part = rest.subarray(0, into.length - filled);
        into.set(part, filled);
        filled += part.length;
        rest = rest.subarray(part.length);
      }
      return ok(filled);
    },
  };
}

/** All that is known of a transcript once it was read. */
export interface ShownTranscript {
  readonly file: string;
  readonly bytes: number;
  readonly session: string | undefined;
  /** It stands in a data root, so that it can be repaired. */
  readonly isOwnPlace: boolean;
  readonly found: EntrySummary;
  readonly summary: TranscriptSummary;
}
