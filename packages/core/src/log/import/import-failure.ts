import { type ErrorCode, fail, type PalimpsestError } from "../../spec/index.ts";
import type { ImportOptions, TranscriptFormat } from "./import-report.ts";
import type { InspectedHead } from "./inspect-head.ts";
import { parseTruncated } from "./parse-truncated.ts";

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

export function aborted(options: ImportOptions): ImportFailure {
  return failure("aborted", "was not read to its end: the import was aborted.", options);
}

export function unreadable(cause: unknown, options: ImportOptions): ImportFailure {
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
