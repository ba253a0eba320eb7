import { isRecord, type JsonObject, textField } from "../../../json/json-values.ts";
import type { ContentBlock, EntryBody, MediaSource, Message, MessageFlags } from "../../../spec/index.ts";
import { type EntrySink, isLineId, lineId, type RecordReader } from "../entry-sink.ts";
import type { LineLocation } from "../import-report.ts";
import { readContent, responseFields } from "../message-content.ts";
import type { LineTimes, Tally } from "../tally.ts";
import { clearDecision, compactDecision, createBoundaryHold, hasLostSegment } from "./boundary-decisions.ts";
import { isNoteType, lineNote } from "./line-types.ts";

export interface ClaudeCodeReaderOptions {
  readonly sink: EntrySink;
  readonly tally: Tally;
  readonly times: LineTimes;
  /** The agent whose own transcript this is: its lines are the main chain, whatever they say. */
  readonly agentId?: string | undefined;
}

/** One line on its way to an entry. */
interface Line {
  readonly record: JsonObject;
  readonly place: LineLocation;
  readonly uuid: string | undefined;
  readonly id: string;
  readonly at: string;
  readonly isSidechain: boolean;
}

/**
 * Reads Claude Code lines in the order of the file: parent links are kept, and hide nothing. Each line that is taken
 * gives one entry with the line's uuid as id. A summary goes into its boundary's decision; its own entry is a note
 * that keeps the line, so that its id stays readable and nothing is sent twice. Memory: one id and number per line, one usage
 * per response, and what a boundary holds back.
 */
export function createClaudeCodeReader(options: ClaudeCodeReaderOptions): RecordReader {
  const { sink, tally, times } = options;
  /** The sequence number of each line's entry; 0 while a boundary holds it back. */
  const seqs = new Map<string, number>();
  const boundary = createBoundaryHold((entry) => {
    sink.emit(entry);
    if (seqs.has(entry.id)) seqs.set(entry.id, sink.lastSeq);
  });

  function take(line: Line): void {
    if (line.uuid !== undefined) seqs.set(line.uuid, 0);
    if (line.record.isSidechain === true) tally.add("sidechainLines", 1);
  }

  function follow(line: Line, body: EntryBody): void {
    boundary.follow({ ...body, id: line.id, at: line.at }, line.place.bytes ?? 0);
  }

  function messageBody(line: Line, message: Message): EntryBody {
    const parent = textField(line.record, "parentUuid");
    return { kind: "message", message, ...(parent !== undefined && { parent }) };
  }

  function readMessage(type: "user" | "assistant", line: Line): void {
    const read = readMessageLine(type, line.record, line.isSidechain);
    if ("problem" in read) {
      tally.setAside("skipped", line.place, read.problem);
      return;
    }
    take(line);
    tally.message(read.message);
    tally.add("unsignedThinking", read.unsignedThinking);
    const isSummary = type === "user" && read.message.isCompactSummary === true;
    if (line.isSidechain) follow(line, messageBody(line, read.message));
    else if (isSummary && boundary.complete(read.message)) {
      follow(line, { kind: "note", note: { topic: "foreign", type, line: line.record } });
    } else {
      boundary.release();
      follow(line, messageBody(line, read.message));
    }
  }

  function readAttachment(line: Line): void {
    const { attachment } = line.record;
    if (!isRecord(attachment)) {
      tally.setAside("skipped", line.place, "it is of type “attachment”, but has none");
      return;
    }
    take(line);
    tally.attachment();
    const subtype = textField(attachment, "type");
    const message: Message = {
      type: "attachment",
      content: attachmentContent(attachment),
      ...(subtype !== undefined && { subtype }),
      ...lineFlags(line.record, line.isSidechain),
    };
    follow(line, messageBody(line, message));
  }

  function readSystem(line: Line): void {
    take(line);
    tally.other("system");
    const subtype = textField(line.record, "subtype");
    if (subtype === "compact_boundary" && !line.isSidechain) readCompaction(line);
    else if (subtype === "microcompact_boundary" && !line.isSidechain) {
      tally.add("clearings", 1);
      boundary.release();
      follow(line, { kind: "decision", decision: clearDecision(line.record, here()) });
    } else {
      const message: Message = {
        type: "system",
        content: systemContent(line.record),
        ...(subtype !== undefined && { subtype }),
        ...lineFlags(line.record, line.isSidechain),
      };
      follow(line, messageBody(line, message));
    }
  }

  function readCompaction(line: Line): void {
    tally.add("boundaries", 1);
    boundary.release();
    const decision = compactDecision(line.record, here());
    if (hasLostSegment(line.record, decision)) {
      const reason = "it keeps a segment whose first or last message is not in the file";
      tally.problem({ kind: "boundary", ...line.place, reason });
    }
    boundary.hold(line.id, line.at, decision);
  }

  function here() {
    return { lastId: sink.lastId, lastSeq: sink.lastSeq, seqOf: (id: string) => seqs.get(id) || undefined };
  }

  function readOther(line: Line): void {
    const type = textField(line.record, "type") ?? "(none)";
    take(line);
    if (isNoteType(type)) tally.other(type);
    else tally.unknown(type);
    follow(line, { kind: "note", note: lineNote(type, line.record) });
  }

  return {
    read(record, location) {
      const uuid = foreignId(record);
      const at = times.of(record);
      if (uuid !== undefined && seqs.has(uuid)) {
        tally.setAside("duplicate", location, "an earlier line has the same uuid");
        return;
      }
      const isOwn = options.agentId !== undefined && record.agentId === options.agentId;
      const isSidechain = record.isSidechain === true && !isOwn;
      const line: Line = {
        record,
        place: location,
        uuid,
        id: uuid ?? lineId(location.line),
        at,
        isSidechain,
      };
      const { type } = record;
      if (type === "user" || type === "assistant") readMessage(type, line);
      else if (type === "attachment") readAttachment(line);
      else if (type === "system") readSystem(line);
      else readOther(line);
    },
    end: () => boundary.release(),
  };
}

function foreignId(record: JsonObject): string | undefined {
  const uuid = textField(record, "uuid");
  return uuid === undefined || isLineId(uuid) ? undefined : uuid;
}

/** Sub-agents have files of their own, in which every message is marked as a side-chain: whose such a file is. */
export function ownAgentId(records: readonly JsonObject[]): string | undefined {
  const messages = records.filter((record) => record.type === "user" || record.type === "assistant");
  const [first] = messages;
  const agentId = first === undefined ? undefined : textField(first, "agentId");
  const isOwn = messages.every((record) => record.isSidechain === true && record.agentId === agentId);
  return isOwn ? agentId : undefined;
}

/** Fields that every line has, and that the entry has otherwise. */
const envelope: ReadonlySet<string> = new Set([
  "agentId",
  "content",
  "cwd",
  "entrypoint",
  "gitBranch",
  "isMeta",
  "isSidechain",
  "logicalParentUuid",
  "parentUuid",
  "sessionId",
  "slug",
  "subtype",
  "timestamp",
  "type",
  "userType",
  "uuid",
  "version",
]);

/** A system line's text, then whatever else it says, as JSON. */
function systemContent(line: JsonObject): readonly ContentBlock[] {
  const text = textField(line, "content");
  const rest = Object.entries(line).filter(
    ([key]) => !envelope.has(key) || (key === "content" && text === undefined),
  );
  return [
    ...(text === undefined ? [] : [{ type: "text" as const, text }]),
    ...(rest.length === 0 ? [] : [{ type: "text" as const, text: JSON.stringify(Object.fromEntries(rest)) }]),
  ];
}

type ReadMessage =
  | { readonly message: Message; readonly unsignedThinking: number }
  | { readonly problem: string };

/** The message of a user or assistant line. Its blocks are untouched, but for unsigned thinking, which is left out. */
function readMessageLine(type: "user" | "assistant", line: JsonObject, isSidechain: boolean): ReadMessage {
  const recorded = line.message;
  if (!isRecord(recorded)) return { problem: "it has no message" };
  if (recorded.role !== undefined && recorded.role !== type) {
    return { problem: `it is of type “${type}”, but its role is another` };
  }
  const kept = readContent(recorded.content);
  if ("problem" in kept) return kept;
  const message: Message = {
    type,
    content: kept.content,
    ...(type === "assistant" && responseFields(recorded)),
    ...lineFlags(line, isSidechain),
  };
  return { message, unsignedThinking: kept.unsignedThinking };
}

function lineFlags(line: JsonObject, isSidechain: boolean): MessageFlags {
  return {
    ...(line.isMeta === true && { isMeta: true }),
    ...(line.isCompactSummary === true && { isCompactSummary: true }),
    ...(line.isVisibleInTranscriptOnly === true && { isVisibleInTranscriptOnly: true }),
    ...(line.isApiErrorMessage === true && { isApiErrorMessage: true }),
    ...(isSidechain && { isSidechain: true }),
  };
}

/**
 * An attachment as content from which it can be had again whole. Plain text stays plain; everything else becomes its
 * JSON, followed by its images and PDFs as blocks, which the JSON names by number: as text they would count as
 * hundreds of thousands of tokens.
 */
function attachmentContent(attachment: JsonObject): readonly ContentBlock[] {
  const text = textField(attachment, "content");
  if (text !== undefined && Object.keys(attachment).every((key) => key === "type" || key === "content")) {
    return [{ type: "text", text }];
  }
  const media: ContentBlock[] = [];
  const json = JSON.stringify(attachment, (_key, value: unknown) => {
    const source = isRecord(value) ? mediaSource(value) : undefined;
    if (source === undefined || !isRecord(value)) return value;
    media.push({ type: source.media_type === "application/pdf" ? "document" : "image", source });
    return withoutBytes(value, `attached as block ${media.length}`);
  });
  return [{ type: "text", text: json }, ...media];
}

type InlineSource = Extract<MediaSource, { readonly type: "base64" }>;

/** Claude Code has two shapes: the API's block with a `source`, and its own with a `file`. */
function mediaSource(value: JsonObject): InlineSource | undefined {
  const { source, file } = value;
  if (isRecord(source) && source.type === "base64") return inlineSource(source, "data", "media_type");
  if (!isRecord(file)) return undefined;
  if (value.type === "pdf")
    return inlineSource({ media_type: "application/pdf", ...file }, "base64", "media_type");
  return value.type === "image" ? inlineSource(file, "base64", "type") : undefined;
}

function inlineSource(from: JsonObject, dataField: string, typeField: string): InlineSource | undefined {
  const data = textField(from, dataField);
  const mediaType = textField(from, typeField);
  if (data === undefined || mediaType === undefined) return undefined;
  return { type: "base64", media_type: mediaType, data };
}

function withoutBytes(value: JsonObject, stead: string): JsonObject {
  const { source, file } = value;
  return {
    ...value,
    ...(isRecord(source) && { source: { ...source, data: stead } }),
    ...(isRecord(file) && { file: { ...file, base64: stead } }),
  };
}
