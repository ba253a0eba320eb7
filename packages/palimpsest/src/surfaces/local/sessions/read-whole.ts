import { inlineLargeValues } from "@palimpsest/core";
import {
  type BlobRef,
  type BlobStore,
  type Entry,
  type Note,
  ok,
  type Result,
  type SessionHeader,
} from "@palimpsest/core/spec";
import type { Terminal } from "../terminal.ts";
import type { TranscriptTarget } from "./find-transcript.ts";
import { type ChainLink, forkChain, mergeFirstEntries, renumber } from "./fork-chain.ts";
import { readTranscript, type TranscriptReport } from "./read-transcript.ts";
import { transcriptChunks, transcriptName } from "./transcript-chunks.ts";

export interface WholeReading {
  /** Values that could not be read, and stay references. */
  readonly missing: readonly string[];
  /** One for each log that was read, ancestors first. */
  readonly reports: readonly TranscriptReport[];
}

type SessionTarget = Extract<TranscriptTarget, { kind: "session" }>;
type TakeEntry = (entry: Entry) => Promise<Result<void>>;

/**
 * Gives the entries of a transcript one after the other, large values written out. Those of a fork come behind its
 * ancestors', numbered through, under one header.
 */
export async function readWhole(
  target: TranscriptTarget,
  terminal: Terminal,
  take: TakeEntry,
): Promise<Result<WholeReading>> {
  const missing: string[] = [];
  const reports: TranscriptReport[] = [];

  async function give(entry: Entry, source: BlobSource): Promise<Result<void>> {
    const whole = await toWholeEntry(entry, source);
    missing.push(...whole.missing);
    return take(whole.entry);
  }

  async function readOne(one: TranscriptTarget, use: TakeEntry): Promise<Result<void>> {
    let waiting: Entry[] = [];
    const pause = async (): Promise<Result<void>> => {
      const batch = waiting;
      waiting = [];
      for (const entry of batch) {
        const used = await use(entry);
        if (!used.ok) return used;
      }
      return ok();
    };
    const { signal } = terminal;
    const options = { name: transcriptName(one), isOwnPlace: one.kind === "session", signal, pause };
    const chunks = transcriptChunks(one, terminal);
    const read = await readTranscript(chunks, options, (entry) => void waiting.push(entry));
    if (!read.ok) return read;
    reports.push(read.value);
    return ok();
  }

  async function readChain(chain: readonly ChainLink[], fork: SessionTarget): Promise<Result<void>> {
    const { blobs, sessions: stored } = fork.store;
    const first = mergeFirstEntries(chain);
    const sessions = chain.map(({ session }) => session).reverse();
    const begun = first === null ? ok() : await give(first, { blobs, sessions });
    if (!begun.ok) return begun;
    for (const { session, upTo, offset } of chain) {
      const source = { blobs, sessions: [session] };
      const read = await readOne({ ...fork, session, address: stored.address(session) }, async (entry) =>
        entry.kind !== "session" && entry.seq <= upTo ? give(renumber(entry, offset), source) : ok(),
      );
      if (!read.ok) return read;
    }
    return ok();
  }

  async function readSession(one: SessionTarget): Promise<Result<void>> {
    const { store, session } = one;
    const chain = await forkChain(store, session);
    if (!chain.ok) return chain;
    if (chain.value.length > 1) return readChain(chain.value, one);
    return readOne(one, (entry) => give(entry, { blobs: store.blobs, sessions: [session] }));
  }

  const read =
    target.kind === "session"
      ? await readSession(target)
      : await readOne(target, (entry) => give(entry, null));
  return read.ok ? ok({ missing, reports }) : read;
}

/** Where the large values of a log are; `null` where the log stands alone, outside of any data root. */
type BlobSource = {
  readonly blobs: BlobStore;
  /** A fork's prefix may be its ancestors'. */
  readonly sessions: readonly string[];
} | null;

interface WholeEntry {
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

/** The head of a session, from its beginning or from a later note on. */
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
