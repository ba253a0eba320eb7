import { inlineLargeValues } from "../../../log/large-values.ts";
import type { BlobRef, BlobStore, Entry, SessionHeader } from "../../../spec/index.ts";

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

const headerBlobs = [
  "system",
  "tools",
  "context",
  "flags",
] as const satisfies readonly (keyof SessionHeader)[];

/** An entry that needs no blobs: large values stand in it, and the blobs a header names carry their `text`. */
export async function toWholeEntry(entry: Entry, source: BlobSource): Promise<WholeEntry> {
  if (entry.kind === "session") return toWholeHeader(entry, source);
  const [session] = source?.sessions ?? [];
  if (!entry.blobs) return { entry, missing: [] };
  if (source === null || session === undefined)
    return { entry, missing: [`the large values of entry ${entry.id}`] };
  const whole = await inlineLargeValues(entry, session, source.blobs);
  if (whole.ok) return { entry: whole.value, missing: [] };
  return { entry, missing: [`entry ${entry.id}: ${whole.error.message}`] };
}

async function toWholeHeader(
  entry: Extract<Entry, { kind: "session" }>,
  source: BlobSource,
): Promise<WholeEntry> {
  const missing: string[] = [];
  const texts: Partial<Record<(typeof headerBlobs)[number], BlobRef>> = {};
  for (const name of headerBlobs) {
    const ref = entry.session[name];
    if (ref === undefined || ref.text !== undefined) continue;
    const text = await readText(ref.blob, source);
    if (text === null) missing.push(`the session's ${name}`);
    else texts[name] = { ...ref, text };
  }
  return { entry: { ...entry, session: { ...entry.session, ...texts } }, missing };
}

async function readText(sha256: string, source: BlobSource): Promise<string | null> {
  for (const session of source?.sessions ?? []) {
    const bytes = await source?.blobs.get(session, sha256);
    if (bytes?.ok) return Buffer.from(bytes.value).toString("utf8");
  }
  return null;
}
