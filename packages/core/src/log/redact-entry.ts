import { createHash } from "node:crypto";
import type { BlobLocation, BlobRef, Entry, Redaction } from "../spec/index.ts";
import { redactBytes, redactValue, type Substitute } from "./redact-value.ts";

/** A blob that held the secret: what stands for it now, and how often it held it. */
export interface RedactedBlob {
  readonly ref: BlobRef;
  readonly occurrences: number;
}

export interface RedactedEntry {
  /** The very same object where nothing was found in it. */
  readonly entry: Entry;
  readonly occurrences: number;
  readonly droppedBlocks: number;
}

/**
 * An entry without the secret: in its strings and keys, and in the blobs it stands on, given by their old hashes,
 * to which it refers anew. A thinking block that held it is gone whole. Sequence, epoch, time and kind hold none.
 */
export function redactEntry(
  entry: Entry,
  redaction: Redaction,
  blobs: ReadonlyMap<string, RedactedBlob>,
): RedactedEntry {
  const { v, seq, epoch, at, kind, blobs: locations = [], ...body } = entry;
  const refs = refsAt(body, locations);
  const isHead = kind === "session" || (kind === "note" && entry.note.topic === "head");

  function substitute(value: string | object): Substitute | undefined {
    if (typeof value === "string") {
      const renamed = blobs.get(value);
      return renamed && { value: renamed.ref.blob, occurrences: 0 };
    }
    const as = refs.get(value);
    if (as === undefined && !isBlobRef(value)) return undefined;
    if (as === undefined && hasText(value)) return isHead ? redactedText(value, redaction) : undefined;
    const redacted = blobs.get((value as BlobRef).blob);
    if (redacted === undefined) return { value, occurrences: 0 };
    const ref = { ...redacted.ref };
    if (as !== undefined) refs.set(ref, as);
    return { value: ref, occurrences: as === undefined ? 0 : redacted.occurrences };
  }

  const { value, occurrences, droppedBlocks } = redactValue(body, redaction, { substitute });
  if (value === body) return { entry, occurrences: 0, droppedBlocks: 0 };
  const kept = locationsOf(value, refs);
  const redacted = { v, seq, epoch, at, kind, ...(value as object), ...(kept.length > 0 && { blobs: kept }) };
  return { entry: redacted as Entry, occurrences, droppedBlocks };
}

type Refs = Map<object, BlobLocation["as"]>;

function refsAt(tree: unknown, locations: readonly BlobLocation[]): Refs {
  const refs: Refs = new Map();
  for (const { path, as } of locations) {
    const ref = path.reduce<unknown>((value, part) => (value as Record<string, unknown>)?.[part], tree);
    if (typeof ref === "object" && ref !== null) refs.set(ref, as);
  }
  return refs;
}

function hasText(value: object): value is BlobRef & { readonly text: string } {
  return typeof (value as BlobRef).text === "string";
}

/** A value that the entry carries itself is named by the hash of what it holds now. */
function redactedText(ref: BlobRef & { readonly text: string }, redaction: Redaction): Substitute {
  const { bytes, occurrences } = redactBytes(Buffer.from(ref.text), "json", redaction);
  if (occurrences === 0) return { value: ref, occurrences };
  const blob = createHash("sha256").update(bytes).digest("hex");
  const text = Buffer.from(bytes).toString("utf8");
  return { value: { ...ref, blob, bytes: bytes.length, text }, occurrences };
}

/** The session's header names blobs outside of the entry's `blobs`. */
function isBlobRef(value: object): boolean {
  const { blob, bytes, lines } = value as Record<string, unknown>;
  return (
    typeof blob === "string" &&
    /^[0-9a-f]{64}$/.test(blob) &&
    Number.isInteger(bytes) &&
    Number.isInteger(lines)
  );
}

/** Where the references stand now: taking a block out moves those behind it. */
function locationsOf(tree: unknown, refs: Refs): readonly BlobLocation[] {
  const locations: BlobLocation[] = [];
  function look(value: unknown, path: BlobLocation["path"]): void {
    if (typeof value !== "object" || value === null) return;
    const as = refs.get(value);
    if (as !== undefined) locations.push({ path, as });
    else if (Array.isArray(value)) for (const [index, item] of value.entries()) look(item, [...path, index]);
    else for (const [key, item] of Object.entries(value)) look(item, [...path, key]);
  }
  if (refs.size > 0) look(tree, []);
  return locations;
}
