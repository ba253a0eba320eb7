import { type ChangeSet, readChangeSet } from "../../layers/6-dream/rules/change-set.ts";
import type { GuardName } from "../../layers/6-dream/rules/check-guards.ts";
import {
  appendToDailyLog,
  type DailyLogEntry,
  dailyLogPath,
} from "../../layers/6-dream/rules/dream-prompt.ts";
import { type FileTree, fail, ok, type Result, type TreeVersion } from "../../spec/index.ts";

/**
 * `review`: nothing of it is in memory, and a person decides. `applying`, `withdrawing` and `reverting` are under way;
 * found at rest they were interrupted. `applied`: all of it was done. `reverted`: and taken back.
 */
export type DreamRecordState = "review" | "applying" | "withdrawing" | "applied" | "reverting" | "reverted";

/** Why a change set waits for a person. */
export interface ReviewReason {
  readonly guard: GuardName | "conflict";
  readonly path?: string;
  readonly message: string;
}

/** The record of one dream's changes: the journal while they are applied, the memory of them afterwards. */
export interface DreamRecord {
  readonly state: DreamRecordState;
  readonly changeSet: ChangeSet;
  /** Why it waits, or waited. */
  readonly reasons: readonly ReviewReason[];
  /** Files that were changed after the dream in the same place, and therefore not taken back. */
  readonly kept: readonly string[];
}

/** A record with the version it was read at. */
export interface StoredRecord extends DreamRecord {
  readonly version: number;
}

const states: ReadonlySet<unknown> = new Set<DreamRecordState>([
  "review",
  "applying",
  "withdrawing",
  "applied",
  "reverting",
  "reverted",
]);

export function isUnderWay({ state }: Pick<DreamRecord, "state">): boolean {
  return state === "applying" || state === "withdrawing" || state === "reverting";
}

const recordPath = (id: string) => `${id}.json`;

/** The state is said beside the record too, so that a listing tells it. */
const stateSource = (state: DreamRecordState) => `state:${state}`;
const restSources: ReadonlySet<string | undefined> = new Set(
  (["review", "applied", "reverted"] as const).map(stateSource),
);

export async function readRecord(dreams: FileTree, id: string): Promise<Result<StoredRecord>> {
  const path = recordPath(id);
  const read = await dreams.read(path);
  if (!read.ok && read.error.code === "not-found") {
    return fail("not-found", `There is no dream ${id}.`, { path, fix: "List the dreams to see their ids." });
  }
  if (!read.ok) return read;
  const record = parseRecord(read.value.text);
  if (record !== null && record.changeSet.id === id) {
    return ok({ ...record, version: read.value.version.version });
  }
  return fail("corrupt", `The record of dream ${id} cannot be read.`, {
    path,
    fix: "Look at its history, or discard it; memory itself is not touched by it.",
  });
}

/** Compare-and-swap on the version that was read; 0 for a record that is not there yet. */
export async function writeRecord(
  dreams: FileTree,
  record: DreamRecord,
  expect: number,
): Promise<Result<StoredRecord>> {
  const { state, changeSet, reasons, kept } = record;
  const text = `${JSON.stringify({ format: 1, state, reasons, kept, changeSet }, null, 2)}\n`;
  const words = { author: "dream", source: stateSource(state), expect };
  const written = await dreams.write(recordPath(changeSet.id), text, words);
  return written.ok ? ok({ state, changeSet, reasons, kept, version: written.value.version }) : written;
}

/** Without a version whatever is there. */
export function removeRecord(dreams: FileTree, id: string, version?: number): Promise<Result<TreeVersion>> {
  return dreams.remove(recordPath(id), {
    author: "user",
    ...(version === undefined ? {} : { expect: version }),
  });
}

/** Ids of all records, oldest first as far as ids sort by age; or of those that may have been interrupted. */
export async function listRecordIds(
  dreams: FileTree,
  which: "all" | "interrupted" = "all",
): Promise<Result<readonly string[]>> {
  const files = await dreams.list();
  if (!files.ok) return files;
  const wanted = files.value.filter(({ source }) => which === "all" || !restSources.has(source));
  return ok(wanted.flatMap(({ path }) => /^([^/]+)\.json$/.exec(path)?.[1] ?? []));
}

function parseRecord(text: string): DreamRecord | null {
  try {
    const { format, state, reasons, kept, changeSet } = JSON.parse(text) as Partial<DreamRecord> & {
      format?: unknown;
    };
    const read = readChangeSet(changeSet);
    const isRecord = format === 1 && states.has(state) && Array.isArray(reasons) && Array.isArray(kept);
    return isRecord && read !== null
      ? { state: state as DreamRecordState, changeSet: read, reasons, kept }
      : null;
  } catch {
    return null;
  }
}

/** Tries to get a line in, each lost to another line that got in. */
const maxTries = 100;

/** Adds one line to a day's log by compare-and-swap: of several writers at once none loses a line. */
export async function writeDailyLog(
  memory: FileTree,
  entry: DailyLogEntry,
  author = "agent",
): Promise<Result<TreeVersion>> {
  const path = dailyLogPath(entry.at);
  if (!path.ok) return path;
  for (let tries = 0; tries < maxTries; tries += 1) {
    const read = await memory.read(path.value);
    if (!read.ok && read.error.code !== "not-found") return read;
    const text = appendToDailyLog(read.ok ? read.value.text : null, entry);
    if (!text.ok) return text;
    const session = entry.session === undefined ? {} : { session: entry.session };
    const expect = read.ok ? read.value.version.version : 0;
    const written = await memory.write(path.value, text.value, { author, ...session, expect });
    if (written.ok || written.error.code !== "conflict") return written;
  }
  return fail("conflict", `Others keep writing ${path.value}.`, { path: path.value, retryable: true });
}
