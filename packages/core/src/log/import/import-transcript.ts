import { type Entry, ok, type Result } from "../../spec/index.ts";
import { createClaudeCodeReader, ownAgentId } from "./claude-code/claude-code-reader.ts";
import { createCodexReader } from "./codex/codex-reader.ts";
import { createEntrySink, type EntrySink } from "./entry-sink.ts";
import { gunzipChunks, isGzip } from "./gunzip-chunks.ts";
import {
  emptyFile,
  type ImportFailure,
  lookOf,
  unreadable,
  unreadableGzip,
  unsupportedFormat,
} from "./import-failure.ts";
import type { ImportedFormat, ImportOptions, ImportReport } from "./import-report.ts";
import { headBytes, type InspectedHead, inspectHead, maxHeadBytes } from "./inspect-head.ts";
import { createLineTimes } from "./line-times.ts";
import { createLookahead, type Lookahead } from "./lookahead.ts";
import { createChatReader } from "./messages/chat-reader.ts";
import { createPiReader } from "./pi/pi-reader.ts";
import { readDocument } from "./read-document.ts";
import { readLines } from "./read-lines.ts";
import type { ReadingParts, RecordReader } from "./record-reader.ts";
import { sessionEntry } from "./session-entry.ts";
import { createTally, type Tally } from "./tally.ts";
import { withSignedThinking } from "./with-signed-thinking.ts";

/**
 * Reads a foreign transcript, plain or gzip, as entries of our own: a `session` entry first, then one entry per line
 * that can be taken, in the order of the file. Nothing is dropped without being counted, and no damage to a line is
 * fatal. Lines are read one at a time; a JSON document is read whole.
 *
 * Deterministic: the same bytes give the same entries, however they are cut into chunks. `visit` must not throw. On
 * failure, entries already visited stand for what could be read.
 */
export async function importTranscript(
  chunks: AsyncIterable<Uint8Array>,
  options: ImportOptions,
  visit: (entry: Entry) => void,
): Promise<Result<ImportReport>> {
  const tally = createTally();
  const sink = createEntrySink(visit);
  const raw = createLookahead(chunks);
  const unzipped = await unzip(raw, (reason) => tally.problem({ kind: "gzip", reason }));
  const { source } = unzipped;
  try {
    const { bytes, head } = await lookAhead(source);
    const format = isBlank(bytes)
      ? nothingRead(unzipped.state(), options)
      : await readSource(source, bytes, head, options, { sink, tally });
    if (raw.failure !== undefined) return unreadable(raw.failure.cause, options);
    return format.ok ? ok(tally.report(format.value, sink.count - 1, unzipped.state())) : format;
  } finally {
    await source.close();
    await raw.close();
  }
}

interface Unzipped {
  readonly source: Lookahead;
  readonly state: () => ImportReport["gzip"];
}

async function unzip(raw: Lookahead, onDamage: (reason: string) => void): Promise<Unzipped> {
  if (!isGzip(await raw.peek(2))) return { source: raw, state: () => "none" };
  let isWhole = true;
  const chunks = gunzipChunks(raw.chunks(), (reason) => {
    isWhole = false;
    onDamage(reason);
  });
  return { source: createLookahead(chunks), state: () => (isWhole ? "whole" : "damaged") };
}

async function readSource(
  source: Lookahead,
  bytes: Uint8Array,
  head: InspectedHead,
  options: ImportOptions,
  into: { readonly sink: EntrySink; readonly tally: Tally },
): Promise<Result<ImportedFormat>> {
  const { format } = head;
  if (format === "palimpsest" || format === "unknown") {
    return unsupportedFormat(format, lookOf(head, bytes), options);
  }
  const skipBytes = byteOrderMarkBytes(bytes);
  if (head.container === "document") return readDocument(source, skipBytes, options, into);
  const first = sessionEntry(format, head.records, options);
  into.sink.emit(first);
  const reading = { ...into, times: createLineTimes(first.at) };
  const plain = createReader(format, reading, head);
  const reader = options.keepsUnsignedThinking ? withSignedThinking(plain) : plain;
  const read = await readLines(source, skipBytes, options, into.tally, reader);
  return read.ok ? ok(format) : read;
}

function createReader(
  format: ImportedFormat,
  reading: ReadingParts,
  { records }: InspectedHead,
): RecordReader {
  switch (format) {
    case "claude-code":
      return createClaudeCodeReader({ ...reading, agentId: ownAgentId(records) });
    case "codex":
      return createCodexReader(reading);
    case "pi":
      return createPiReader(reading);
    case "anthropic-messages":
    case "openai-messages":
      return createChatReader(reading);
  }
}

/** Looks further only where the usual head does not tell. */
async function lookAhead(
  source: Lookahead,
): Promise<{ readonly bytes: Uint8Array; readonly head: InspectedHead }> {
  const bytes = await source.peek(headBytes);
  const head = inspectHead(bytes);
  if (head.format !== "unknown" || bytes.length < headBytes) return { bytes, head };
  const more = await source.peek(maxHeadBytes);
  return { bytes: more, head: inspectHead(more) };
}

/** A byte order mark is no content, and only a file's first bytes can be one. */
function byteOrderMarkBytes(bytes: Uint8Array): number {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
}

function isBlank(bytes: Uint8Array): boolean {
  return new TextDecoder().decode(bytes).trim() === "";
}

function nothingRead(gzip: ImportReport["gzip"], options: ImportOptions): ImportFailure {
  return gzip === "damaged" ? unreadableGzip(options) : emptyFile(options);
}
