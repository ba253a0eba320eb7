import { isNestedTooDeeply, isRecord, type JsonObject, maxNesting } from "../../json/json-values.ts";

type ParsedLine =
  | { readonly outcome: "record"; readonly record: JsonObject }
  | { readonly outcome: "blank" }
  | { readonly outcome: "corrupt" | "torn" | "skipped"; readonly reason: string };

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
/** White space of JSON, which may stand before a newline. */
const blanks: ReadonlySet<number> = new Set([0x20, 0x09, 0x0d, 0x0a]);

export function parseLine(line: Line): ParsedLine {
  if (line.bytes === undefined) return { outcome: "skipped", reason: "it is longer than the limit" };
  if (line.bytes.every((byte) => blanks.has(byte))) return { outcome: "blank" };
  const damaged = line.isTerminated ? "corrupt" : "torn";
  const parsed = parseJsonBytes(line.bytes);
  return "reason" in parsed ? { outcome: damaged, reason: parsed.reason } : toParsedRecord(parsed.value);
}

/** Turns a JSON value into a record, or says why it is none. */
export function toParsedRecord(value: unknown): ParsedLine {
  if (!isRecord(value)) return { outcome: "skipped", reason: "it is JSON, but not an object" };
  if (isNestedTooDeeply(value)) {
    return { outcome: "skipped", reason: `it is nested deeper than ${maxNesting} levels` };
  }
  return { outcome: "record", record: value };
}

/** Own words for what is wrong: the engine's would quote the content. */
export function parseJsonBytes(bytes: Uint8Array): { readonly value: unknown } | { readonly reason: string } {
  let text: string;
  try {
    text = decoder.decode(bytes);
  } catch {
    return { reason: "it is not valid UTF-8" };
  }
  try {
    return { value: JSON.parse(text) };
  } catch {
    return { reason: bytes.includes(0) ? "it holds NUL bytes" : "it is not JSON" };
  }
}

interface TruncatedValue {
  readonly value: unknown;
  /** Where it ends in the text; absent when the text ends first. */
  readonly end?: number;
}

const closers: Readonly<Record<string, string>> = { "{": "}", "[": "]" };

/**
 * The JSON object or array at the beginning of a text that may be cut anywhere: as much of it as stands whole before
 * the cut. `undefined` when the text does not begin with one, or is damaged before its end.
 */
export function parseTruncated(text: string): TruncatedValue | undefined {
  const start = text.search(/[^\s]/);
  if (start === -1 || closers[text.charAt(start)] === undefined) return undefined;
  const open: string[] = [];
  let isInString = false;
  /** The text up to here is whole but for the brackets that are open. */
  let whole = start;
  for (let index = start; index < text.length; index += 1) {
    const character = text.charAt(index);
    if (isInString) {
      if (character === "\\") index += 1;
      else if (character === '"') isInString = false;
    } else if (character === '"') isInString = true;
    else if (character === ",") whole = index;
    else if (closers[character] !== undefined) {
      open.push(closers[character]);
      whole = index + 1;
    } else if (character === "}" || character === "]") {
      if (open.pop() !== character) return undefined;
      whole = index + 1;
      if (open.length === 0) return parse(text.slice(start, whole), whole);
    }
  }
  return parse(text.slice(start, whole) + open.reverse().join(""));
}

function parse(json: string, end?: number): TruncatedValue | undefined {
  try {
    return { value: JSON.parse(json), ...(end !== undefined && { end }) };
  } catch {
    return undefined;
  }
}

/** One line without its newline. */
interface Line {
  /** Counts from 1. */
  readonly number: number;
  readonly offset: number;
  readonly length: number;
  /** Valid only during the visit; absent when the line is longer than the limit. */
  readonly bytes?: Uint8Array;
  /** False for a last line that no newline ends. */
  readonly isTerminated: boolean;
}

interface LineSplitter {
  /** The chunk may be reused afterwards. */
  push(chunk: Uint8Array): void;
  /** Gives the unterminated last line, if there is one. */
  end(): void;
}

const newline = 0x0a;

/** Splits on the byte `\n` only. Holds at most one line, and nothing of a line that is too long. */
export function createLineSplitter(
  limit: number,
  firstOffset: number,
  visit: (line: Line) => void,
): LineSplitter {
  let parts: Uint8Array[] = [];
  let length = 0;
  let number = 1;
  let offset = firstOffset;

  function add(part: Uint8Array): void {
    length += part.length;
    if (length > limit) parts = [];
    else if (part.length > 0) parts.push(part);
  }

  function give(isTerminated: boolean): void {
    const [first] = parts;
    const bytes = parts.length === 1 && first !== undefined ? first : Buffer.concat(parts);
    visit({ number, offset, length, isTerminated, ...(length <= limit && { bytes }) });
    offset += length + 1;
    number += 1;
    parts = [];
    length = 0;
  }

  return {
    push(chunk) {
      let start = 0;
      for (let at = chunk.indexOf(newline); at !== -1; at = chunk.indexOf(newline, start)) {
        add(chunk.subarray(start, at));
        give(true);
        start = at + 1;
      }
      add(Buffer.from(chunk.subarray(start)));
    },
    end() {
      if (length > 0) give(false);
    },
  };
}
