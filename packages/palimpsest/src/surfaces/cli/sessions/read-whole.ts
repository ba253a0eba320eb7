import { type Entry, ok, type Result } from "@palimpsest/core/spec";
import type { Terminal } from "../terminal.ts";
import type { TranscriptTarget } from "./find-transcript.ts";
import { type ChainLink, forkChain, mergeFirstEntries, renumber } from "./fork-chain.ts";
import { readTranscript, type TranscriptReport } from "./read-transcript.ts";
import { transcriptChunks, transcriptName } from "./transcript-chunks.ts";
import { type BlobSource, toWholeEntry } from "./whole-entry.ts";

export interface WholeReading {
  /** Values that could not be read, and stay references. */
  readonly missing: readonly string[];
  /** One for each log that was read, ancestors first. */
  readonly reports: readonly TranscriptReport[];
}

type SessionTarget = Extract<TranscriptTarget, { kind: "session" }>;
type Take = (entry: Entry) => Promise<Result<void>>;

/**
 * Gives the entries of a transcript one after the other, large values written out. Those of a fork come behind its
 * ancestors', numbered through, under one header.
 */
export async function readWhole(
  target: TranscriptTarget,
  terminal: Terminal,
  take: Take,
): Promise<Result<WholeReading>> {
  const missing: string[] = [];
  const reports: TranscriptReport[] = [];

  async function give(entry: Entry, source: BlobSource): Promise<Result<void>> {
    const whole = await toWholeEntry(entry, source);
    missing.push(...whole.missing);
    return take(whole.entry);
  }

  async function readOne(one: TranscriptTarget, use: Take): Promise<Result<void>> {
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
