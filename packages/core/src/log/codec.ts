import { createHash } from "node:crypto";
import { crc32 } from "node:zlib";
import { isObject, parseJson } from "../json/json-values.ts";
import {
  type Clock,
  type Entry,
  type EntryDraft,
  type EntryLocation,
  fail,
  type Ids,
  type LogReport,
  ok,
  type Result,
} from "../spec/index.ts";

/** The line format this version writes. */
export const formatVersion = 1;

/** A line ends in `,"crc":"xxxxxxxx"}`: the CRC-32 of all bytes before it. */
const sealPrefix = Buffer.from(',"crc":"');
const sealBytes = sealPrefix.length + 8 + 2;
const closingBrace = 0x7d;
const quote = 0x22;

const headFields = ["v", "seq", "epoch", "id", "at", "kind"] as const;

/**
 * One line, newline included. The checksum makes every damage visible, also one that leaves valid JSON behind, and
 * makes it safe to look for whole entries inside damaged lines.
 */
export function encodeEntry(entry: Entry): Buffer {
  const { v, seq, epoch, id, at, kind, ...body } = entry;
  const json = JSON.stringify({ v, seq, epoch, id, at, kind, ...body });
  const bytes = Buffer.allocUnsafe(Buffer.byteLength(json) - 1 + sealBytes + 1);
  const end = bytes.write(json) - 1;
  const checksum = crc32(bytes.subarray(0, end)).toString(16).padStart(8, "0");
  bytes.write(`,"crc":"${checksum}"}\n`, end);
  return bytes;
}

type DecodedLine =
  | { readonly outcome: "entry"; readonly entry: Entry }
  /** A line of a newer format: its entry may be shown, never built upon. */
  | { readonly outcome: "newer"; readonly version: number; readonly entry: Entry | null }
  | { readonly outcome: "damaged"; readonly reason: string };

/** Reads the line at `[start, end)`, newline excluded. Overwrites one byte of the seal in `bytes`. */
export function decodeLine(bytes: Buffer, start: number, end: number): DecodedLine {
  const seal = end - sealBytes;
  if (seal <= start || !isSeal(bytes, seal)) return decodeUnsealed(bytes, start, end);
  const expected = Number.parseInt(bytes.toString("latin1", seal + sealPrefix.length, end - 2), 16);
  if (crc32(bytes.subarray(start, seal)) !== expected) return damagedLine("its checksum does not match");
  bytes[seal] = closingBrace;
  return fromJson(bytes.toString("utf8", start, seal + 1));
}

function isSeal(bytes: Buffer, seal: number): boolean {
  return (
    bytes[seal + sealBytes - 1] === closingBrace &&
    bytes[seal + sealBytes - 2] === quote &&
    sealPrefix.compare(bytes, seal, seal + sealPrefix.length) === 0
  );
}

function decodeUnsealed(bytes: Buffer, start: number, end: number): DecodedLine {
  const decoded = fromJson(bytes.toString("utf8", start, end));
  return decoded.outcome === "entry" ? damagedLine("it has no checksum") : decoded;
}

function fromJson(json: string): DecodedLine {
  const value = parseJson(json);
  if (value === undefined) return damagedLine("it is not JSON");
  if (!isObject(value)) return damagedLine("it is not an object");
  const entry = value as unknown as Entry;
  if (Number.isInteger(entry.v) && entry.v > formatVersion) {
    return { outcome: "newer", version: entry.v, entry: fault(entry) === null ? entry : null };
  }
  const wrong = entry.v === formatVersion ? fault(entry) : "v";
  return wrong === null
    ? { outcome: "entry", entry }
    : damagedLine(`its field “${wrong}” is missing or of a wrong type`);
}

/** The first head field that is not what it must be. */
function fault(entry: Entry): string | null {
  for (const field of headFields) {
    const value: unknown = entry[field];
    const right =
      field === "v" || field === "seq" || field === "epoch"
        ? Number.isSafeInteger(value) && (value as number) > 0
        : typeof value === "string" && value.length > 0;
    if (!right) return field;
  }
  const body: unknown = Reflect.get(entry, entry.kind);
  return isKnownKind(entry.kind) && !isObject(body) ? entry.kind : null;
}

export function isKnownKind(kind: string): boolean {
  return kind === "message" || kind === "decision" || kind === "note" || kind === "session";
}

function damagedLine(reason: string): DecodedLine {
  return { outcome: "damaged", reason };
}

/** Values of a session's head that hold nothing, by their hash: their bytes are known without any blob. */
const emptyValues: ReadonlyMap<string, string> = new Map(
  ["[]", "{}"].map((text) => [createHash("sha256").update(text).digest("hex"), text]),
);

/** The text of an empty list or object with that hash; `undefined` for all others. */
export function emptyValueOf(sha256: string): string | undefined {
  return emptyValues.get(sha256);
}

/** The report of a log that has no lines yet. */
export const emptyReport: LogReport = {
  entries: 0,
  lastSeq: 0,
  epoch: 0,
  version: formatVersion,
  end: 0,
  tornBytes: 0,
  corruptLines: 0,
  corruptBytes: 0,
  fencedLines: 0,
  fencedBytes: 0,
  salvaged: 0,
  unknownKinds: {},
  damages: [],
  asides: [],
};

export interface EncodedEntry {
  readonly entry: Entry;
  readonly line: Buffer;
}

/** Numbers entries and makes lines of them, one after another. */
interface EntryEncoder {
  /** All of them or none: numbers are not used up by what cannot be written. */
  encode(drafts: readonly EntryDraft[]): Result<readonly EncodedEntry[]>;
}

interface EntryParts {
  readonly clock: Clock;
  readonly ids: Ids;
}

interface EntryEncoderOptions extends EntryParts {
  /** Of the log as it is. */
  readonly lastSeq: number;
  /** Of whoever writes now. */
  readonly epoch: () => number;
}

/** Id prefixes by kind, so that an id says what it names. */
const prefixes = { session: "ent", message: "msg", decision: "dec", note: "note" } as const;

/** Gives a draft what it has not brought along. */
export function completeEntry(
  draft: EntryDraft,
  head: Pick<Entry, "seq" | "epoch">,
  { clock, ids }: EntryParts,
): Entry {
  const { seq, epoch } = head;
  const { id = ids.next(prefixes[draft.kind]), at = new Date(clock.now()).toISOString(), ...body } = draft;
  return { v: formatVersion, seq, epoch, id, at, ...body } as Entry;
}

export function createEntryEncoder(options: EntryEncoderOptions): EntryEncoder {
  let { lastSeq } = options;
  return {
    encode(drafts) {
      let seq = lastSeq;
      try {
        const encoded = drafts.map((draft) => {
          seq += 1;
          const entry = completeEntry(draft, { seq, epoch: options.epoch() }, options);
          return { entry, line: encodeEntry(entry) };
        });
        lastSeq = seq;
        return ok(encoded);
      } catch (cause) {
        return fail("invalid-input", "An entry cannot be written as JSON.", {
          cause,
          fix: "Remove cycles and BigInts from it.",
        });
      }
    },
  };
}

export function linesOf(encoded: readonly EncodedEntry[]): Buffer {
  const [first] = encoded;
  return first && encoded.length === 1 ? first.line : Buffer.concat(encoded.map(({ line }) => line));
}

/** Where each stands, if the first stands at `place`. */
export function placesOf(
  encoded: readonly EncodedEntry[],
  location: EntryLocation,
): readonly { readonly entry: Entry; readonly place: EntryLocation }[] {
  let next = location;
  return encoded.map(({ entry, line }) => {
    const at = next;
    next += line.length;
    return { entry, place: at };
  });
}
