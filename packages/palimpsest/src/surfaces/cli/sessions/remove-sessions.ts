import { ok, type ProjectStore, type Result } from "@palimpsest/core/spec";
import { exitWith, UsageError } from "../../local/or-throw.ts";
import type { SessionLocations } from "../../local/sessions/session-locations.ts";
import type { CommandContext } from "../../local/terminal.ts";
import { escapeTerminal, toJson } from "../../terminal/escape-terminal.ts";
import { formatAge, formatBytes, formatNumber } from "../../terminal/format-amount.ts";
import { renderTable } from "../../terminal/table.ts";
import type { ListedSession } from "./list-command.ts";

export interface RemovalOptions {
  readonly dryRun?: boolean;
  readonly yes?: boolean;
  readonly json?: boolean;
  readonly takeOver?: boolean;
}

interface Removal {
  readonly go: readonly RemovalCandidate[];
  readonly stay: readonly { readonly candidate: RemovalCandidate; readonly why: string }[];
  /** For the tombstones. */
  readonly why: string;
  /** How the command is called, for the person who has to call it again. */
  readonly form: string;
}

interface RemovalOutcome {
  readonly removed: readonly RemovalCandidate[];
  readonly skipped: readonly { readonly candidate: RemovalCandidate; readonly why: string }[];
}

/** Lists what goes, asks, and removes it. Ends the command if the person says no. */
export async function removeSessions(
  context: CommandContext,
  removal: Removal,
  options: RemovalOptions,
): Promise<RemovalOutcome> {
  const { terminal } = context;
  const { go, stay, form } = removal;
  if (options.dryRun) {
    await answer(context, { removed: go, skipped: stay }, options, "would be deleted");
    return { removed: go, skipped: stay };
  }
  const isAsked = !options.yes && go.length > 0;
  if (isAsked) {
    if (!terminal.isInteractive) {
      throw new UsageError(
        `there is no terminal to ask on, so --yes is needed; use: ${form} --yes (or --dry-run)`,
      );
    }
    for (const line of candidateLines(go, context)) terminal.say(line);
    const bytes = formatBytes(totalBytes(go));
    if (
      !(await terminal.confirm(
        `Delete ${formatNumber(go.length, "session")}, ${bytes}? This cannot be undone.`,
      ))
    ) {
      terminal.say("Nothing was deleted.");
      exitWith("failed");
    }
  }
  const outcome = await removeInOrder(removal, options.takeOver ?? false, () => isInterrupted(terminal));
  await answer(context, outcome, options, "deleted", isAsked);
  if (isInterrupted(terminal)) exitWith("interrupted");
  return outcome;
}

function isInterrupted({ signal, isClosed }: CommandContext["terminal"]): boolean {
  return signal.aborted && !isClosed;
}

/** Forks go before what they were forked from; what could not go keeps its ancestors. */
async function removeInOrder(
  { go, stay, why }: Removal,
  takeOver: boolean,
  isStopped: () => boolean,
): Promise<RemovalOutcome> {
  const removed: RemovalCandidate[] = [];
  const skipped = [...stay];
  const waiting = new Set(go);
  const isNeeded = ({ project, forks }: RemovalCandidate, by: Iterable<RemovalCandidate>) =>
    [...by].some((other) => other.project === project && forks.includes(other.session));
  while (waiting.size > 0 && !isStopped()) {
    const next = [...waiting].find((one) => !isNeeded(one, waiting)) ?? [...waiting][0];
    if (next === undefined) break;
    waiting.delete(next);
    const reason = isNeeded(
      next,
      skipped.map(({ candidate }) => candidate),
    )
      ? "a session that was forked from it stays"
      : await removeOne(next, why, takeOver);
    if (reason === null) removed.push(next);
    else skipped.push({ candidate: next, why: reason });
  }
  return {
    removed,
    skipped: [...skipped, ...[...waiting].map((candidate) => ({ candidate, why: "interrupted" }))],
  };
}

/** Gives why it stays, or `null`. */
async function removeOne(
  { store, session }: RemovalCandidate,
  why: string,
  takeOver: boolean,
): Promise<string | null> {
  const lease = takeOver ? await store.leases.acquire(session, { takeOver }) : null;
  if (lease?.ok) await lease.value.release();
  const gone = await store.logs.remove(session, why);
  return gone.ok ? null : gone.error.message.replace(/\.$/, "");
}

function totalBytes(candidates: readonly RemovalCandidate[]): number {
  return candidates.reduce((sum, { footprintBytes }) => sum + footprintBytes, 0);
}

async function answer(
  context: CommandContext,
  { removed, skipped }: RemovalOutcome,
  options: RemovalOptions,
  verb: string,
  isListed = false,
): Promise<void> {
  const { terminal } = context;
  const bytes = totalBytes(removed);
  if (options.json) {
    const removedSessionRow = ({ session, project, footprintBytes }: RemovalCandidate) => ({
      id: session,
      project,
      bytes: footprintBytes,
    });
    return terminal.write(
      toJson({
        dryRun: options.dryRun ?? false,
        deleted: removed.map(removedSessionRow),
        skipped: skipped.map(({ candidate, why }) => ({ ...removedSessionRow(candidate), why })),
        bytes,
      }),
    );
  }
  for (const { candidate, why } of skipped) terminal.say(`kept ${candidate.session}: ${escapeTerminal(why)}`);
  const lines = removed.length > 0 && !isListed ? [...candidateLines(removed, context), ""] : [];
  const summary =
    removed.length === 0
      ? `Nothing ${verb}.`
      : `${formatNumber(removed.length, "session")} ${verb}, ${formatBytes(bytes)}.`;
  await terminal.write(`${[...lines, summary].join("\n")}\n`);
}

function candidateLines(
  candidates: readonly RemovalCandidate[],
  { terminal, now }: CommandContext,
): readonly string[] {
  const { style, columns } = terminal;
  const nowMs = now();
  return renderTable({
    columns: [
      { header: "ID", max: 40 },
      { header: "LAST USED", align: "right" },
      { header: "SIZE", align: "right" },
      { header: "TITLE", isFlexible: true },
    ],
    rows: candidates.map((one) => [
      { text: escapeTerminal(one.session), paint: style.cyan },
      { text: formatAge(nowMs - Date.parse(one.modifiedAt)) },
      { text: formatBytes(one.footprintBytes) },
      { text: escapeTerminal(one.problem ?? one.title ?? one.firstPrompt ?? "").trim() },
    ]),
    width: columns,
    paintHeader: style.dim,
  });
}

/** A session that may be removed, and what speaks against it. */
export interface RemovalCandidate extends ListedSession {
  readonly store: ProjectStore;
  /** With blobs, notes and all that goes with it. */
  readonly footprintBytes: number;
  /** Who has it open; `null` if nobody. */
  readonly openIn: string | null;
  /** Sessions that were forked from it. */
  readonly forks: readonly string[];
}

/** `sessions` must be all of their projects: a fork that is not among them is not seen. */
export async function removalCandidates(
  locations: SessionLocations,
  sessions: readonly ListedSession[],
): Promise<Result<readonly RemovalCandidate[]>> {
  const candidates: RemovalCandidate[] = [];
  for (const session of sessions) {
    const store = locations.store(session.project);
    const footprint = await store.sessions.footprint(session.session);
    if (!footprint.ok) return footprint;
    const agents = await store.sessions.agentsOf(session.session);
    if (!agents.ok) return agents;
    const openIn = await openElsewhere(store, [session.session, ...agents.value]);
    if (!openIn.ok) return openIn;
    candidates.push({
      ...session,
      modifiedAt: await newestChange(store, session.modifiedAt, agents.value),
      store,
      footprintBytes: footprint.value.bytes,
      openIn: openIn.value,
      forks: forksOf(session, sessions),
    });
  }
  return ok(candidates);
}

/** Also forks of the agents that live inside it. */
function forksOf({ session, project }: ListedSession, sessions: readonly ListedSession[]): readonly string[] {
  return sessions
    .filter((other) => other.project === project && other.parent?.split("/")[0] === session)
    .map((other) => other.session);
}

async function openElsewhere(
  store: ProjectStore,
  sessions: readonly string[],
): Promise<Result<string | null>> {
  for (const session of sessions) {
    const held = await store.sessions.holder(session);
    if (!held.ok) return held;
    if (held.value === null || held.value.state === "dead") continue;
    const { pid, host } = held.value.holder;
    return ok(`process ${pid} on ${host.split("/")[0]}`);
  }
  return ok(null);
}

/** A session is in use as long as the forks that live inside it are. */
async function newestChange(
  { sessions }: ProjectStore,
  ownAt: string,
  agents: readonly string[],
): Promise<string> {
  let newest = ownAt;
  for (const agent of agents) {
    const stamp = await sessions.stamp(agent);
    if (stamp.ok && stamp.value.modifiedAt > newest) newest = stamp.value.modifiedAt;
  }
  return newest;
}
