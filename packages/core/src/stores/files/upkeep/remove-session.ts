import {
  type BlobStore,
  type Clock,
  type Disk,
  type Ids,
  type LeaseStore,
  type LogReport,
  ok,
  type Result,
  type UpkeepOptions,
} from "../../../spec/index.ts";
import type { Layout } from "../../shared/layout.ts";
import { hasLinesToTakeOut, type LogRepair } from "../../shared/upkeep.ts";
import { agentsOf } from "../agent-records.ts";
import { holdLog, type LogParts } from "../log/hold-log.ts";
import { rewriteLog, rewritePath } from "../log/rewrite-log.ts";
import { absentSession, writeTombstone } from "./tombstone.ts";

interface RemoveSessionOptions {
  readonly disk: Disk;
  readonly layout: Layout;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly leases: LeaseStore;
  readonly blobs: BlobStore;
}

/** The files beside a log that hold what was moved out of it. */
export const asides = [".torn", ".corrupt", ".fenced"] as const;

/**
 * Removes a log and all that belongs to it alone. The tombstone goes first: whatever interrupts the rest, the
 * session is gone for every reader, and removing it again finishes the work.
 */
export async function removeSession(
  options: RemoveSessionOptions,
  session: string,
  why: string,
): Promise<Result<void>> {
  const { disk, layout, clock, ids, leases, blobs } = options;
  const log = layout.log(session);
  if (!log.ok) return log;
  const present = await disk.stat(log.value);
  if (!present.ok) return present.error.code === "not-found" ? absentSession(disk, layout, session) : present;
  const lease = await leases.acquire(session);
  if (!lease.ok) return lease;
  const free = await refuseOpenForks(options, session);
  if (!free.ok) {
    await lease.value.release();
    return free;
  }
  const buried = await writeTombstone(disk, ids, layout, {
    session,
    at: new Date(clock.now()).toISOString(),
    why,
  });
  if (!buried.ok) {
    await lease.value.release();
    return buried;
  }
  const name = log.value.slice(layout.sessions.length + 1, -".jsonl".length);
  const forks = [layout.sessions, `${layout.root}/blobs`, `${layout.root}/tool-results`].map(
    (folder) => `${folder}/${name}.agents`,
  );
  const beside = [...asides.map((suffix) => log.value + suffix), rewritePath(log.value)];
  const paths = [...beside, ...forks, `${layout.root}/session-notes/${name}.md`, log.value];
  const emptied = await blobs.removeAll(session);
  const outcomes = [emptied];
  for (const path of paths) outcomes.push(await disk.removeTree(path));
  await lease.value.release();
  await leases.forget(session);
  return outcomes.find((outcome) => !outcome.ok) ?? ok();
}

/** Whoever writes to a fork that lives inside a session keeps the session. */
async function refuseOpenForks(
  { disk, layout, leases }: RemoveSessionOptions,
  session: string,
): Promise<Result<void>> {
  const forks = await agentsOf(disk, layout, session);
  if (!forks.ok) return forks;
  for (const fork of forks.value) {
    const lease = await leases.acquire(fork);
    if (!lease.ok) return lease;
    await lease.value.release();
  }
  return ok();
}

/**
 * Makes a log whole again: an unfinished last line is cut off, corrupt and fenced lines are taken out, and all of
 * their bytes are kept beside the log. Nothing that is in force changes. Running it again finds nothing to do.
 */
export function repairSession(
  parts: LogParts,
  session: string,
  options: UpkeepOptions = {},
): Promise<Result<LogRepair>> {
  return holdLog<LogRepair>(parts, session, options, async (held) => {
    const { report, path, file, lease, bytesBefore } = held;
    const found = { session, path, ...countsOf(report), asides: report.asides, bytesBefore };
    if (!hasLinesToTakeOut(report)) return ok({ ...found, bytesAfter: report.end, rewritten: false });
    const { signal } = options;
    const rewritten = await rewriteLog({ disk: parts.disk, path, file, lease, signal });
    return rewritten.ok ? ok({ ...found, bytesAfter: rewritten.value.bytes, rewritten: true }) : rewritten;
  });
}

function countsOf(report: LogReport) {
  const { entries, salvaged, tornBytes, corruptLines, corruptBytes, fencedLines, fencedBytes, damages } =
    report;
  return { entries, salvaged, tornBytes, corruptLines, corruptBytes, fencedLines, fencedBytes, damages };
}
