import { fail } from "@palimpsest/core/spec";
import { exitWith, orThrow, UsageError } from "../../local/or-throw.ts";
import { type EntryLine, toEntryLine } from "../../local/sessions/entry-text.ts";
import { type FoundSession, findSession } from "../../local/sessions/find-session.ts";
import { findTranscript } from "../../local/sessions/find-transcript.ts";
import { readTranscript, type ShownTranscript } from "../../local/sessions/read-transcript.ts";
import { openSessionLocations, type SessionLocations } from "../../local/sessions/session-locations.ts";
import { createSummaryWriter, type EntrySummary, summarise } from "../../local/sessions/session-summary.ts";
import { transcriptChunks, transcriptName } from "../../local/sessions/transcript-chunks.ts";
import type { CommandContext } from "../../local/terminal.ts";
import { toJson } from "../../terminal/escape-terminal.ts";
import { formatBytes, formatDuration } from "../../terminal/format-amount.ts";
import { type ListedSession, listSessions } from "./list-command.ts";
import {
  type RemovalCandidate,
  type RemovalOptions,
  removalCandidates,
  removeSessions,
} from "./remove-sessions.ts";
import { entryLines, overviewLines } from "./show-lines.ts";

interface ShowOptions {
  readonly entries?: boolean;
  readonly project?: string;
  readonly json?: boolean;
}

export async function runShow(context: CommandContext, named: string, options: ShowOptions): Promise<void> {
  const { terminal } = context;
  const locations = await openSessionLocations(context);
  const target = orThrow(await findTranscript(locations, named, options.project));
  const writer = createSummaryWriter();
  const list: EntryLine[] = [];
  let bytes = 0;
  async function* counted(): AsyncGenerator<Uint8Array> {
    for await (const chunk of transcriptChunks(target, terminal)) {
      bytes += chunk.length;
      yield chunk;
    }
  }
  const name = transcriptName(target);
  const isOwnPlace = target.kind === "session";
  const report = await readTranscript(counted(), { name, isOwnPlace, signal: terminal.signal }, (entry) => {
    writer.visit(entry);
    if (options.entries) list.push(toEntryLine(entry));
  });
  const found = writer.summary();
  const shown: ShownTranscript = {
    file: target.kind === "input" ? "-" : transcriptName(target),
    bytes,
    session: isOwnPlace ? target.session : found.session,
    isOwnPlace,
    found,
    summary: summarise(orThrow(report), found),
  };
  if (options.json)
    return terminal.write(toJson({ ...transcriptRow(shown), ...(options.entries && { list }) }));
  const lines = [
    ...overviewLines(shown, context),
    ...(options.entries ? ["", ...entryLines(list, terminal)] : []),
  ];
  await terminal.write(`${lines.join("\n")}\n`);
}

/** The counts first, then what the transcript is; always every field, in this order. */
function transcriptRow({ summary, found, file, bytes, session }: ShownTranscript) {
  return {
    ...summary,
    file,
    bytes,
    session: session ?? null,
    project: found.project ?? null,
    title: found.title ?? null,
    state: found.state ?? null,
    firstPrompt: found.firstPrompt ?? null,
    model: found.model ?? null,
    cwd: found.cwd ?? null,
    parent: parentOf(found),
    startedAt: found.startedAt ?? null,
    endedAt: found.endedAt ?? null,
  };
}

function parentOf({ parent }: EntrySummary) {
  return parent === undefined ? null : { session: parent.session, seq: parent.seq };
}

interface DeleteOptions extends RemovalOptions {
  readonly project?: string;
}

export async function runDelete(
  context: CommandContext,
  named: readonly string[],
  options: DeleteOptions,
): Promise<void> {
  const locations = await openSessionLocations(context);
  const found = new Map<string, FoundSession>();
  for (const name of named) {
    const session = orThrow(await findSession(locations, name, options.project));
    found.set(`${session.project} ${session.session}`, session);
  }
  const candidates = await candidatesFor(locations, [...found.values()]);
  for (const one of candidates) refuseNeeded(one, candidates);
  const isHeld = ({ openIn }: RemovalCandidate) => openIn !== null && !options.takeOver;
  const outcome = await removeSessions(
    context,
    {
      go: candidates.filter((one) => !isHeld(one)),
      stay: candidates
        .filter(isHeld)
        .map((candidate) => ({ candidate, why: `it is open in ${candidate.openIn}` })),
      why: "deleted by hand",
      form: `palimpsest sessions delete ${named.join(" ")}`,
    },
    options,
  );
  if (outcome.skipped.length > 0) exitWith("failed");
}

async function candidatesFor(
  locations: SessionLocations,
  found: readonly FoundSession[],
): Promise<readonly RemovalCandidate[]> {
  const projects = [...new Set(found.map(({ project }) => project))];
  const listed = orThrow(await listSessions(locations, projects));
  const isNamed = ({ project, session }: ListedSession) =>
    found.some((one) => one.project === project && one.session === session);
  const agents: ListedSession[] = [];
  for (const { session, project, store } of found) {
    // A fork that lives inside another session is in no listing.
    if (session.includes("/")) agents.push({ project, ...(await store.sessions.listing(session)) });
  }
  return orThrow(await removalCandidates(locations, [...listed, ...agents])).filter(isNamed);
}

function refuseNeeded(one: RemovalCandidate, going: readonly RemovalCandidate[]): void {
  const needers = needersOf(one, going);
  if (needers.length === 0) return;
  throw fail(
    "conflict",
    `${one.session} stays: ${needers.join(", ")} was forked from it and would lose its beginning.`,
    {
      path: one.session,
      fix: `Delete them together: palimpsest sessions delete ${[one.session, ...needers].join(" ")}`,
    },
  ).error;
}

interface PruneOptions extends RemovalOptions {
  readonly olderThan?: number;
  readonly maxSize?: number;
  readonly all?: boolean;
  readonly project?: string;
}

const form = "palimpsest sessions prune [--older-than 30d] [--max-size 5GB]";

export async function runPrune(context: CommandContext, options: PruneOptions): Promise<void> {
  const { olderThan, maxSize, all, project } = options;
  if (olderThan === undefined && maxSize === undefined) {
    throw new UsageError(`say what may go: --older-than or --max-size; use: ${form}`);
  }
  if (all && project !== undefined)
    throw new UsageError(`--all and --project exclude each other; use: ${form}`);
  const locations = await openSessionLocations(context);
  const named = project === undefined ? await locations.currentProject() : await locations.toProject(project);
  const projects = all ? orThrow(await locations.projects()) : [orThrow(named)];
  const sessions = orThrow(await listSessions(locations, projects));
  const candidates = orThrow(await removalCandidates(locations, sessions));
  const { go, stay } = choosePrunable(candidates, {
    nowMs: context.now(),
    olderThanMs: olderThan,
    maxBytes: maxSize,
  });
  const limits = [
    ...(olderThan === undefined ? [] : [`older than ${formatDuration(olderThan)}`]),
    ...(maxSize === undefined ? [] : [`over ${formatBytes(maxSize)} together`]),
  ];
  const why = `pruned: ${limits.join(" or ")}`;
  const outcome = await removeSessions(context, { go, stay, why, form }, options);
  if (outcome.removed.length < go.length) exitWith("failed");
}

/** The commands' work, loaded when one of them runs. */
export { runExport } from "./export-command.ts";
export { runList } from "./list-command.ts";
export { runRedact } from "./redact-command.ts";
export { runRepair } from "./repair-command.ts";

interface PruneLimits {
  readonly nowMs: number;
  readonly olderThanMs?: number;
  readonly maxBytes?: number;
}

interface Pruning<Candidate> {
  /** Oldest first. */
  readonly go: readonly Candidate[];
  /** Those the limits ask for, and why they stay. */
  readonly stay: readonly { readonly candidate: Candidate; readonly why: string }[];
}

type Prunable = Pick<
  RemovalCandidate,
  "session" | "project" | "modifiedAt" | "footprintBytes" | "openIn" | "forks"
>;

/** Which sessions go: those not written to for so long, then the oldest until the rest fits. Pure. */
export function choosePrunable<Candidate extends Prunable>(
  candidates: readonly Candidate[],
  limits: PruneLimits,
): Pruning<Candidate> {
  const { nowMs, olderThanMs = Number.POSITIVE_INFINITY, maxBytes = Number.POSITIVE_INFINITY } = limits;
  const oldest = [...candidates].sort((a, b) => (a.modifiedAt < b.modifiedAt ? -1 : 1));
  const old = oldest.filter(({ modifiedAt }) => nowMs - Date.parse(modifiedAt) > olderThanMs);
  const go = new Set(withoutNeeded(old.filter(isFree)));
  let bytes = oldest.reduce((sum, one) => (go.has(one) ? sum : sum + one.footprintBytes), 0);
  const wanted = new Set(old);
  // A parent may go only once its forks do, and those are younger: so again from the oldest, until nothing moves.
  for (let moved = true; moved && bytes > maxBytes; ) {
    moved = false;
    for (const one of oldest) {
      if (bytes <= maxBytes) break;
      if (go.has(one)) continue;
      wanted.add(one);
      if (!isFree(one) || needersOf(one, go).length > 0) continue;
      go.add(one);
      bytes -= one.footprintBytes;
      moved = true;
    }
  }
  const stay = oldest
    .filter((one) => wanted.has(one) && !go.has(one))
    .map((candidate) => ({ candidate, why: keepReason(candidate, go) }));
  return { go: oldest.filter((one) => go.has(one)), stay };
}

function isFree({ openIn }: Prunable): boolean {
  return openIn === null;
}

/** Forks of a session that would be left without their beginning. */
function needersOf(one: Prunable, going: Iterable<Prunable>): readonly string[] {
  const gone = new Set(
    [...going].filter(({ project }) => project === one.project).map(({ session }) => session),
  );
  return one.forks.filter((fork) => !gone.has(fork));
}

function withoutNeeded<Candidate extends Prunable>(chosen: readonly Candidate[]): readonly Candidate[] {
  const kept = chosen.filter((one) => needersOf(one, chosen).length === 0);
  return kept.length === chosen.length ? kept : withoutNeeded(kept);
}

function keepReason(one: Prunable, going: Iterable<Prunable>): string {
  return one.openIn === null
    ? `${needersOf(one, going).join(", ")} was forked from it`
    : `it is open in ${one.openIn}`;
}
