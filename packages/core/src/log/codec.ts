import { createHash } from "node:crypto";
import { crc32 } from "node:zlib";
import type { Entry, LogReport } from "../spec/index.ts";

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
  if (seal <= start || !isSeal(bytes, seal)) return unsealed(bytes, start, end);
  const expected = Number.parseInt(bytes.toString("latin1", seal + sealPrefix.length, end - 2), 16);
  if (crc32(bytes.subarray(start, seal)) !== expected) return damaged("its checksum does not match");
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

function unsealed(bytes: Buffer, start: number, end: number): DecodedLine {
  const decoded = fromJson(bytes.toString("utf8", start, end));
  return decoded.outcome === "entry" ? damaged("it has no checksum") : decoded;
}

function fromJson(json: string): DecodedLine {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    return damaged("it is not JSON");
  }
  if (typeof value !== "object" || value === null) return damaged("it is not an object");
  const entry = value as Entry;
  if (Number.isInteger(entry.v) && entry.v > formatVersion) {
    return { outcome: "newer", version: entry.v, entry: fault(entry) === null ? entry : null };
  }
  const wrong = entry.v === formatVersion ? fault(entry) : "v";
  return wrong === null
    ? { outcome: "entry", entry }
    : damaged(`its field “${wrong}” is missing or of a wrong type`);
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
  return isKnownKind(entry.kind) && (typeof body !== "object" || body === null) ? entry.kind : null;
}

export function isKnownKind(kind: string): boolean {
  return kind === "message" || kind === "decision" || kind === "note" || kind === "session";
}

function damaged(reason: string): DecodedLine {
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

/** What is found in a log that has no lines yet. */
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
