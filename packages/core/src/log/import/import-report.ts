import { type ErrorCode, fail, type PalimpsestError, type Usage } from "../../spec/index.ts";
import type { InspectedHead } from "./detect-format.ts";
import { parseTruncated } from "./parse-line.ts";

export type TranscriptFormat =
  | "palimpsest"
  | "claude-code"
  | "anthropic-messages"
  | "openai-messages"
  | "pi"
  | "codex"
  | "unknown";

/** The formats that `importTranscript` reads. */
export type ImportedFormat = Exclude<TranscriptFormat, "palimpsest" | "unknown">;

export type ProblemKind = "corrupt" | "torn" | "skipped" | "duplicate" | "boundary" | "gzip";

/** Where a line stands in the uncompressed bytes. In a JSON document the messages count as lines. */
export interface LineLocation {
  /** Counts from 1, blank lines included. */
  readonly line: number;
  readonly offset?: number;
  readonly bytes?: number;
}

export interface ImportProblem extends Partial<LineLocation> {
  readonly kind: ProblemKind;
  readonly reason: string;
}

/**
 * The findings of an import. Every line that is not blank is in exactly one of these counts: `lines = messages +
 * attachments + otherTypes + unknownTypes + skipped + duplicates + corrupt + torn`.
 */
export interface ImportReport {
  readonly format: ImportedFormat;
  readonly lines: number;
  /** Lines of white space only; not in `lines`. */
  readonly blank: number;
  /** Entries made of the lines; the `session` entry before them is not one. */
  readonly entries: number;
  /** User and assistant lines, those of side-chains and summaries among them. */
  readonly messages: number;
  readonly userMessages: number;
  readonly assistantMessages: number;
  readonly attachments: number;
  /** `tool_result` blocks. */
  readonly toolResults: number;
  /** Compactions. Those of a side-chain are not among them. */
  readonly boundaries: number;
  /** Recorded clearings of tool results. */
  readonly clearings: number;
  /** An unterminated last line that is not JSON: 0 or 1. */
  readonly torn: number;
  /** Lines that are not JSON. */
  readonly corrupt: number;
  /** Lines that are JSON but cannot be what they say they are, and lines over the limit. */
  readonly skipped: number;
  /** Lines with the uuid of an earlier one. */
  readonly duplicates: number;
  /** Lines of types this version has no name for, by type. Kept as notes. */
  readonly unknownTypes: Readonly<Record<string, number>>;
  /** Lines of known types that are neither messages nor attachments, by type. */
  readonly otherTypes: Readonly<Record<string, number>>;
  /** Distinct ids of assistant messages; a message without one is a response of its own. */
  readonly responses: number;
  /** Over all responses, each counted once: the last line of a response that has usage wins. */
  readonly usage: Usage;
  /** Thinking blocks without a signature: left out of the entries, for no API takes them. */
  readonly unsignedThinking: number;
  /** Lines that say they belong to a sub-agent. */
  readonly sidechainLines: number;
  /** `damaged`: cut or broken; everything before the damage was read. */
  readonly gzip: "none" | "whole" | "damaged";
  /** The first of each kind in order of discovery, at most `maxListedProblems` of a kind. */
  readonly problems: readonly ImportProblem[];
}

export const maxListedProblems = 20;

export interface ImportOptions {
  /** Where the bytes come from, for the session entry and for errors. Nothing is opened. */
  readonly file?: string;
  /** The time of entries before the first one that has a time, ISO 8601; the epoch when absent. */
  readonly at?: string;
  /** Lines longer than this are skipped, documents refused; `maxLineBytes` when absent. */
  readonly maxLineBytes?: number;
  readonly signal?: AbortSignal;
  /** Thinking without a signature is kept, for what is never sent: it was part of what the session took. */
  readonly keepsUnsignedThinking?: boolean;
}

/** Half of the longest string that V8 can build. */
export const maxLineBytes = 256 * 1024 * 1024;

export type ImportFailure = { readonly ok: false; readonly error: PalimpsestError };

const supported =
  "Supported are transcripts of Claude Code, Codex and pi (JSONL), and Anthropic or OpenAI chat messages as a JSON array, " +
  "as a request with `messages`, or as JSONL; each plain or gzip.";

/** For a file that is not imported: what it looks like, and what is supported. */
export function unsupportedFormat(
  format: TranscriptFormat,
  look: string,
  options: ImportOptions,
): ImportFailure {
  return failure("unknown-format", `looks like ${look}.`, options, supported, { format });
}

export function emptyFile(options: ImportOptions): ImportFailure {
  return failure("invalid-input", "is empty.", options, supported);
}

export function unreadableGzip(options: ImportOptions): ImportFailure {
  const fix = "Compress or copy the file again.";
  return failure("corrupt", "is a damaged gzip of which nothing can be read.", options, fix);
}

export function tooLarge(limitBytes: number, options: ImportOptions): ImportFailure {
  const happened = `is one JSON document of more than ${limitBytes} bytes, which must be read whole.`;
  const fix = "Write it as JSONL, one message a line: lines are read one at a time.";
  return failure("too-large", happened, options, fix, { limitBytes });
}

export function brokenDocument(reason: string, options: ImportOptions): ImportFailure {
  const fix = "Mend the JSON, or write it as JSONL, of which every whole line can be read.";
  return failure("corrupt", `begins as a JSON document, but as a whole ${reason}.`, options, fix);
}

export function abortFailure(options: ImportOptions): ImportFailure {
  return failure("aborted", "was not read to its end: the import was aborted.", options);
}

export function readFailure(cause: unknown, options: ImportOptions): ImportFailure {
  return fail("io", `${nameOf(options)} could not be read to its end.`, { ...pathOf(options), cause });
}

/** In words, what a head of an unsupported format looks like. */
export function lookOf(head: InspectedHead, bytes: Uint8Array): string {
  if (head.format === "palimpsest") return "a palimpsest log, which is opened and not imported";
  const [first] = head.records;
  if (first !== undefined) {
    const fields = Object.keys(first).slice(0, 8).join(", ");
    return `JSON lines of an unknown kind (fields: ${fields || "none"})`;
  }
  if (parseTruncated(new TextDecoder().decode(bytes)) !== undefined) return documentLook;
  if (isUtf16(bytes)) return "UTF-16 text, where UTF-8 is needed";
  return bytes.includes(0) ? "binary data" : "text that is not JSON";
}

export const documentLook = "a JSON document without messages";

function isUtf16(bytes: Uint8Array): boolean {
  return (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
}

function failure(
  code: ErrorCode,
  happened: string,
  options: ImportOptions,
  fix?: string,
  facts?: Readonly<Record<string, unknown>>,
): ImportFailure {
  return fail(code, `${nameOf(options)} ${happened}`, {
    ...pathOf(options),
    ...(fix !== undefined && { fix }),
    ...(facts !== undefined && { facts }),
  });
}

function nameOf(options: ImportOptions): string {
  return options.file ?? "The transcript";
}

function pathOf(options: ImportOptions): { readonly path?: string } {
  return options.file === undefined ? {} : { path: options.file };
}
