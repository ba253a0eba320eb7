import { isRecord, type JsonObject } from "../../json/json-values.ts";
import { type Entry, ok, type Result } from "../../spec/index.ts";
import { createClaudeCodeReader, ownAgentId } from "./claude-code/claude-code-reader.ts";
import { createCodexReader } from "./codex/codex-reader.ts";
import {
  documentDialect,
  documentMessages,
  headBytes,
  type InspectedHead,
  inspectHead,
  maxHeadBytes,
} from "./detect-format.ts";
import {
  createEntrySink,
  type EntrySink,
  lineId,
  type ReadingParts,
  type RecordReader,
  sessionEntry,
} from "./entry-sink.ts";
import { gunzipChunks, isGzip } from "./gunzip-chunks.ts";
import {
  abortFailure,
  brokenDocument,
  documentLook,
  emptyFile,
  type ImportedFormat,
  type ImportFailure,
  type ImportOptions,
  type ImportReport,
  type LineLocation,
  lookOf,
  maxLineBytes,
  readFailure,
  tooLarge,
  unreadableGzip,
  unsupportedFormat,
} from "./import-report.ts";
import { readContent } from "./message-content.ts";
import { type ChatReaderOptions, createChatReader } from "./messages/chat-reader.ts";
import { createLineSplitter, parseJsonBytes, parseLine, toParsedRecord } from "./parse-line.ts";
import { createPiReader } from "./pi/pi-reader.ts";
import { createLineTimes, createLookahead, createTally, type Lookahead, type Tally } from "./tally.ts";

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
    if (raw.failure !== undefined) return readFailure(raw.failure.cause, options);
    return format.ok ? ok(tally.report(format.value, sink.count - 1, unzipped.state())) : format;
  } finally {
    await source.close();
    await raw.close();
  }
}

interface UnzippedSource {
  readonly source: Lookahead;
  readonly state: () => ImportReport["gzip"];
}

async function unzip(raw: Lookahead, onDamage: (reason: string) => void): Promise<UnzippedSource> {
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

/** The stand-in for a signature that a published transcript has lost. */
const lostSignature = "lost";

/** The same reader, to which thinking without a signature has one: such thinking is kept, and can never be sent. */
function withSignedThinking(reader: RecordReader): RecordReader {
  return { ...reader, read: (record, location) => reader.read(signatureOf(record), location) };
}

function signatureOf(record: JsonObject): JsonObject {
  if (isRecord(record.message)) return { ...record, message: signatureOf(record.message) };
  if (!Array.isArray(record.content)) return record;
  return { ...record, content: record.content.map(signedBlock) };
}

function signedBlock(block: unknown): unknown {
  if (!isRecord(block) || block.type !== "thinking" || typeof block.thinking !== "string") return block;
  return block.signature ? block : { ...block, signature: lostSignature };
}

/** Reads a source line by line; lines that give no record go to the tally. */
async function readLines(
  source: Lookahead,
  skipBytes: number,
  options: ImportOptions,
  tally: Tally,
  reader: RecordReader,
): Promise<Result<void>> {
  const limit = options.maxLineBytes ?? maxLineBytes;
  const splitter = createLineSplitter(limit, skipBytes, (line) => {
    const parsed = parseLine(line);
    const location = { line: line.number, offset: line.offset, bytes: line.length };
    if (parsed.outcome === "record") reader.read(parsed.record, location);
    else if (parsed.outcome === "blank") tally.blank();
    else tally.setAside(parsed.outcome, location, parsed.reason);
  });
  let skip = skipBytes;
  for await (const chunk of source.chunks()) {
    if (options.signal?.aborted) return abortFailure(options);
    splitter.push(chunk.subarray(skip));
    skip = 0;
  }
  splitter.end();
  reader.end();
  return ok();
}

/** Reads a source as one JSON document, whole, up to the limit. */
async function readDocument(
  source: Lookahead,
  skipBytes: number,
  options: ImportOptions,
  into: { readonly sink: EntrySink; readonly tally: Tally },
): Promise<Result<ImportedFormat>> {
  const limit = options.maxLineBytes ?? maxLineBytes;
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of source.chunks()) {
    if (options.signal?.aborted) return abortFailure(options);
    length += chunk.length;
    if (length > limit) return tooLarge(limit, options);
    parts.push(Buffer.from(chunk));
  }
  const parsed = parseJsonBytes(Buffer.concat(parts).subarray(skipBytes));
  if ("reason" in parsed) return brokenDocument(parsed.reason, options);
  const messages = documentMessages(parsed.value);
  if (messages === undefined) return unsupportedFormat("unknown", documentLook, options);
  const format = documentDialect(parsed.value, messages);
  const first = sessionEntry(format, [parsed.value, ...messages].filter(isRecord), options);
  into.sink.emit(first);
  readConversation(parsed.value, messages, { ...into, times: createLineTimes(first.at) });
  return ok(format);
}

/**
 * Reads a JSON document message by message. What a request says beside its messages comes first: its system prompt
 * as a `system` message, its tools and its parameters as notes. Each counts as a line.
 */
function readConversation(value: unknown, messages: readonly unknown[], options: ChatReaderOptions): void {
  const reader = createChatReader(options);
  let line = 1;
  if (isRecord(value) && value.messages === messages) {
    for (const [type, content] of requestParts(value)) {
      readRequestPart(type, content, { line }, options);
      line += 1;
    }
  }
  for (const message of messages) {
    const parsed = toParsedRecord(message);
    if (parsed.outcome === "record") reader.read(parsed.record, { line });
    else if (parsed.outcome !== "blank") options.tally.setAside(parsed.outcome, { line }, parsed.reason);
    line += 1;
  }
}

function requestParts(request: JsonObject): readonly (readonly [string, unknown])[] {
  const { messages: _messages, model: _model, system, tools, ...parameters } = request;
  return [
    ...(system === undefined ? [] : [["system", system] as const]),
    ...(tools === undefined ? [] : [["tools", tools] as const]),
    ...(Object.keys(parameters).length === 0 ? [] : [["request", parameters] as const]),
  ];
}

function readRequestPart(
  type: string,
  content: unknown,
  location: LineLocation,
  options: ChatReaderOptions,
): void {
  const { sink, tally, times } = options;
  const head = { id: lineId(location.line), at: times.of({}) };
  const parsed = toParsedRecord({ [type]: content });
  const kept = type === "system" ? readContent(content) : undefined;
  if (parsed.outcome !== "record") {
    tally.setAside("skipped", location, `its ${type} part is nested too deeply`);
    return;
  }
  tally.other(type);
  if (kept === undefined || "problem" in kept) {
    sink.emit({ kind: "note", note: { topic: "foreign", type, line: content }, ...head });
  } else {
    sink.emit({
      kind: "message",
      message: { type: "system", subtype: "system", content: kept.content },
      ...head,
    });
  }
}
