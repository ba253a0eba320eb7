import { omitLargeValues } from "@palimpsest/core/internal";
import { type Entry, fail, type LogReport, ok, type Result } from "@palimpsest/core/spec";
import type { FoundSession } from "../../local/sessions/find-session.ts";
import { type ChainLink, forkChain, mergeFirstEntries, renumber } from "../../local/sessions/fork-chain.ts";
import { toWholeEntry } from "../../local/sessions/read-whole.ts";
import { logDamage, logStamp } from "./log-damage.ts";
import { type DescribeModel, fromBeginning, type OpenedSession } from "./opened-session.ts";
import { inTurn } from "./session-overview.ts";
import { createSessionReader, type SessionReader } from "./session-reader.ts";
import { readTexts } from "./session-texts.ts";

export interface LogSessionOptions {
  readonly id: string;
  readonly found: FoundSession;
  readonly describe: DescribeModel;
  /** Whether a process has it open for writing. */
  readonly isLive: () => Promise<boolean>;
}

/** Where an entry is read again. */
interface LogLocation {
  readonly link: ChainLink;
  readonly place: number;
}

/** How many entries are in memory at a time. */
const pageEntries = 500;

/** A generation says which reading it is, and how often what that one gave had to be said otherwise. */
const generationsPerReading = 1_000_000;

/** The part read so far; begun anew when the log was written anew, as a redaction does. */
interface LogReading {
  readonly reader: SessionReader;
  readonly chain: readonly ChainLink[];
  readonly identity: string;
  /** By sequence number in the whole, in order. */
  readonly places: Map<number, LogLocation>;
  readonly missing: string[];
  readonly damages: string[];
  readonly ends: number[];
  epoch: number;
  lastSeq: number;
  tornBytes: number;
}

/** A session of a data root: its log is followed as it grows, a fork's begins with that of its parent. */
export function openLogSession({ id, found, describe, isLive }: LogSessionOptions): OpenedSession {
  const { store, session, address, project } = found;
  let reading: LogReading | null = null;
  let generation = 0;
  let live = false;

  async function begin(): Promise<Result<LogReading>> {
    const stamp = await store.sessions.stamp(session);
    if (!stamp.ok) return stamp;
    const { identity, end } = stamp.value;
    const own = reading?.ends.at(-1) ?? 0;
    if (reading && reading.identity === identity && end >= own) return ok(reading);
    const chain = await forkChain(store, session);
    if (!chain.ok) return chain;
    generation += 1;
    reading = {
      reader: createSessionReader(describe),
      chain: chain.value,
      identity,
      places: new Map(),
      missing: [],
      damages: [],
      ends: chain.value.map(() => 0),
      epoch: 0,
      lastSeq: -1,
      tornBytes: 0,
    };
    return ok(reading);
  }

  async function whole(entry: Entry, now: LogReading, link: ChainLink): Promise<Entry> {
    const sessions =
      entry.kind === "session" ? now.chain.map((one) => one.session).reverse() : [link.session];
    const { entry: inlined, missing } = await toWholeEntry(entry, { blobs: store.blobs, sessions });
    now.missing.push(...missing);
    return missing.length === 0 ? inlined : omitLargeValues(inlined);
  }

  async function take(entry: Entry, now: LogReading, link: ChainLink): Promise<Result<void>> {
    const inlined = await whole(entry, now, link);
    const needs = now.reader.take(inlined, link !== now.chain.at(-1));
    if (needs === null) return ok();
    const again = await readAgain(now, needs);
    if (!again.ok) return again;
    now.reader.rebuild(again.value);
    return ok();
  }

  /** In one pass a log, from the first entry that is needed on. */
  async function readAgain(now: LogReading, after: number): Promise<Result<readonly Entry[]>> {
    const entries: Entry[] = [];
    for (const link of now.chain) {
      const locations = [...now.places].filter(([seq, location]) => seq > after && location.link === link);
      const wanted = new Set(locations.map(([, { place }]) => place));
      const [first] = wanted;
      if (first === undefined) continue;
      const found: Entry[] = [];
      const scanned = await store.logs.scan(
        link.session,
        (entry, location) => {
          if (wanted.has(location) && entry.kind !== "session") found.push(entry);
        },
        { from: first },
      );
      if (!scanned.ok) return scanned;
      for (const entry of found) entries.push(renumber(await whole(entry, now, link), link.offset));
    }
    return ok(entries);
  }

  async function readLink(now: LogReading, at: number): Promise<Result<void>> {
    const link = now.chain[at] as ChainLink;
    for (;;) {
      const page: { readonly entry: Entry; readonly place: number }[] = [];
      const scanned = await store.logs.scan(
        link.session,
        (entry, location) => void page.push({ entry, place: location }),
        { from: now.ends[at] ?? 0, limit: pageEntries },
      );
      if (!scanned.ok) return scanned;
      const isAtEnd = scanned.value.end === now.ends[at] || page.length === 0;
      now.ends[at] = scanned.value.end;
      note(now, scanned.value);
      for (const { entry, place } of page) {
        const taken = await takeIn(now, link, entry, place);
        if (!taken.ok) return taken;
      }
      if (isAtEnd || page.length < pageEntries) return ok();
    }
  }

  function note(now: LogReading, report: LogReport): void {
    now.damages.push(...report.damages.filter(({ kind }) => kind !== "torn").map(logDamage));
    now.tornBytes = report.tornBytes;
  }

  /** Each page is judged by itself: what a former writer wrote late is told apart here. */
  async function takeIn(
    now: LogReading,
    link: ChainLink,
    entry: Entry,
    location: number,
  ): Promise<Result<void>> {
    if (entry.seq > link.upTo) return ok();
    const isFork = now.chain.length > 1;
    if (isFork && entry.kind === "session") {
      const first = now.lastSeq === -1 ? mergeFirstEntries(now.chain) : null;
      if (!first) return ok();
      now.lastSeq = first.seq;
      now.places.set(first.seq, { link, place: location });
      return take(first, now, link);
    }
    if (!isFork && entry.epoch < now.epoch) return ok();
    const moved = isFork ? renumber(entry, link.offset) : entry;
    if (moved.seq <= now.lastSeq) return ok();
    now.epoch = entry.epoch;
    now.lastSeq = moved.seq;
    now.places.set(moved.seq, { link, place: location });
    return take(moved, now, link);
  }

  async function refresh(): Promise<Result<void>> {
    const begun = await begin();
    if (!begun.ok) return begun;
    for (const at of begun.value.chain.keys()) {
      const read = await readLink(begun.value, at);
      if (!read.ok) return read;
    }
    live = await isLive();
    return ok();
  }

  async function readEntry(seq: number): Promise<Result<Entry>> {
    const location = reading?.places.get(seq);
    if (!reading || !location) return fail("not-found", `Entry ${seq} is not in the log.`);
    const read = await store.logs.read(location.link.session, location.place);
    if (!read.ok) return read;
    const isMerged = read.value.kind === "session" && reading.chain.length > 1;
    const merged = isMerged ? mergeFirstEntries(reading.chain) : null;
    return ok(await whole(merged ?? read.value, reading, location.link));
  }

  return {
    path: store.folders ? address : session,
    watched: {
      ...(store.folders && { file: address }),
      stamp: () => logStamp(store.sessions, session),
    },
    refresh: inTurn(refresh),
    get requests() {
      return reading?.reader.requests ?? 0;
    },
    get inheritedRequests() {
      return reading?.reader.inheritedRequests ?? 0;
    },
    get revision() {
      return `${generation} ${reading?.lastSeq ?? 0}`;
    },
    since(from, asked) {
      const now = reading;
      const reader = now?.reader ?? createSessionReader(describe);
      const number = generation * generationsPerReading + reader.generation;
      const read = reader.since(asked === number ? from : fromBeginning);
      const torn = now && now.tornBytes > 0 && !live ? ["The last line is not finished."] : [];
      const damage = [...(now?.damages ?? []), ...new Set(now?.missing ?? []), ...torn];
      return { ...read, generation: number, id, project, isLive: live, damage };
    },
    texts: (items) => readTexts(items, (number) => reading?.reader.itemAt(number), readEntry),
  };
}
