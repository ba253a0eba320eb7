import { createReadStream } from "node:fs";
import { basename, dirname } from "node:path";
import { diskFailure, omitLargeValues } from "@palimpsest/core/internal";
import { type Entry, fail, ok, type Result } from "@palimpsest/core/spec";
import { readTranscript, type TranscriptReport } from "../../local/sessions/read-transcript.ts";
import { escapeTerminal } from "../../terminal/escape-terminal.ts";
import { formatCount, formatNumber } from "../../terminal/format-amount.ts";
import { fileStamp, logDamage } from "./log-damage.ts";
import { type DescribeModel, fromBeginning, type OpenedSession } from "./opened-session.ts";
import { inTurn } from "./session-overview.ts";
import { createSessionReader, type SessionReader } from "./session-reader.ts";
import { readTexts } from "./session-texts.ts";

export interface TranscriptSessionOptions {
  readonly id: string;
  readonly path: string;
  readonly describe: DescribeModel;
  readonly signal: AbortSignal;
}

/** A transcript of any known format in a file by itself. Its entries are kept; it is read again when it has changed. */
export function openTranscriptSession({
  id,
  path,
  describe,
  signal,
}: TranscriptSessionOptions): OpenedSession {
  let reader: SessionReader = createSessionReader(describe);
  let entries: readonly Entry[] = [];
  let bySeq = new Map<number, Entry>();
  let damage: readonly string[] = [];
  let stamp = "";
  let generation = 0;

  async function refresh(): Promise<Result<void>> {
    const now = await fileStamp(path);
    if (now === stamp) return ok();
    const found: Entry[] = [];
    let withoutBlobs = 0;
    const read = await readTranscript(
      createReadStream(path, { signal }),
      { name: path, isOwnPlace: false, signal },
      (entry) => {
        if (entry.blobs) withoutBlobs += 1;
        found.push(omitLargeValues(entry));
      },
    );
    if (!read.ok) return read;
    if (!isContinued(entries, found)) {
      reader = createSessionReader(describe);
      entries = [];
      generation += 1;
    }
    for (const [at, entry] of found.entries()) {
      if (at < entries.length) continue;
      const needs = reader.take(entry);
      if (needs !== null) reader.rebuild(found.slice(0, at + 1).filter(({ seq }) => seq > needs));
    }
    entries = found;
    bySeq = new Map(found.map((entry) => [entry.seq, entry]));
    damage = [...damageOf(read.value), ...blobDamage(withoutBlobs)];
    stamp = now;
    return ok();
  }

  const readEntry = async (seq: number): Promise<Result<Entry>> => {
    const entry = bySeq.get(seq);
    return entry ? ok(entry) : fail("not-found", `Entry ${seq} is not in the transcript.`);
  };

  return {
    path,
    watched: { file: path, stamp: () => fileStamp(path) },
    refresh: inTurn(async () => {
      try {
        return await refresh();
      } catch (cause) {
        return diskFailure("read", path, cause);
      }
    }),
    inheritedRequests: 0,
    get requests() {
      return reader.requests;
    },
    get revision() {
      return `${generation} ${entries.length}`;
    },
    since(from, asked) {
      const number = generation * generationsPerReading + reader.generation;
      const read = reader.since(asked === number ? from : fromBeginning);
      const title = read.title || escapeTerminal(basename(path));
      const project = escapeTerminal(basename(dirname(path)));
      return { ...read, title, generation: number, id, project, isLive: false, damage };
    },
    texts: (items) => readTexts(items, (number) => reader.itemAt(number), readEntry),
  };
}

const generationsPerReading = 1_000_000;

/** Whether a transcript is the former one and more; importers give an entry the same id and place every time. */
function isContinued(former: readonly Entry[], now: readonly Entry[]): boolean {
  if (former.length === 0 || now.length < former.length) return false;
  return former.every((entry, at) => {
    const same = now[at];
    return same !== undefined && same.id === entry.id && same.seq === entry.seq && same.kind === entry.kind;
  });
}

function blobDamage(entries: number): readonly string[] {
  if (entries === 0) return [];
  return [`Large values of ${formatNumber(entries, "entry", "entries")} are not in this file.`];
}

function damageOf(report: TranscriptReport): readonly string[] {
  if ("log" in report) {
    const gzip = report.gzipDamage === null ? [] : [`gzip: ${escapeTerminal(report.gzipDamage)}`];
    return [...report.log.damages.map(logDamage), ...gzip];
  }
  return report.imported.problems.map(
    ({ kind, line, reason }) =>
      `${kind}${line === undefined ? "" : ` in line ${formatCount(line)}`}: ${escapeTerminal(reason)}`,
  );
}
