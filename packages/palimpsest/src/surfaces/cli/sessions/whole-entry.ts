import { inlineLargeValues } from "@palimpsest/core";
import type { BlobRef, BlobStore, Entry, Note, SessionHeader } from "@palimpsest/core/spec";

/** Where the large values of a log are; `null` where the log stands alone, outside of any data root. */
export type BlobSource = {
  readonly blobs: BlobStore;
  /** A fork's prefix may be its ancestors'. */
  readonly sessions: readonly string[];
} | null;

export interface WholeEntry {
  readonly entry: Entry;
  /** Values whose blob cannot be read: they stay references. */
  readonly missing: readonly string[];
}

const headBlobs = [
  "system",
  "tools",
  "fields",
  "context",
  "flags",
] as const satisfies readonly (keyof SessionHeader)[];

type HeadBlobs = { readonly [Name in (typeof headBlobs)[number]]?: BlobRef };
type HeadNote = Extract<Note, { readonly topic: "head" }> & HeadBlobs;

/** An entry that needs no blobs: large values stand in it, and the blobs of a head carry their `text`. */
export async function toWholeEntry(entry: Entry, source: BlobSource): Promise<WholeEntry> {
  if (entry.kind === "session") {
    const { head, missing } = await withTexts(entry.session, source);
    return { entry: { ...entry, session: head }, missing };
  }
  if (entry.kind === "note" && entry.note.topic === "head") {
    const { head, missing } = await withTexts(entry.note as HeadNote, source);
    return { entry: { ...entry, note: head }, missing };
  }
  const [session] = source?.sessions ?? [];
  if (!entry.blobs) return { entry, missing: [] };
  if (source === null || session === undefined)
    return { entry, missing: [`the large values of entry ${entry.id}`] };
  const whole = await inlineLargeValues(entry, session, source.blobs);
  if (whole.ok) return { entry: whole.value, missing: [] };
  return { entry, missing: [`entry ${entry.id}: ${whole.error.message}`] };
}

/** What a session begins with, from its beginning or from a later note on. */
async function withTexts<Head extends HeadBlobs>(
  head: Head,
  source: BlobSource,
): Promise<{ readonly head: Head; readonly missing: readonly string[] }> {
  const missing: string[] = [];
  const texts: { [Name in (typeof headBlobs)[number]]?: BlobRef } = {};
  for (const name of headBlobs) {
    const ref = head[name];
    if (ref === undefined || ref.text !== undefined) continue;
    const text = await readText(ref.blob, source);
    if (text === null) missing.push(`the session's ${name}`);
    else texts[name] = { ...ref, text };
  }
  return { head: { ...head, ...texts }, missing };
}

async function readText(sha256: string, source: BlobSource): Promise<string | null> {
  for (const session of source?.sessions ?? []) {
    const bytes = await source?.blobs.get(session, sha256);
    if (bytes?.ok) return Buffer.from(bytes.value).toString("utf8");
  }
  return null;
}
