import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { type Entry, fail, type LogListing, ok, type Result } from "@palimpsest/core/spec";
import type { FoundSession } from "../../local/sessions/find-session.ts";
import { readTranscript } from "../../local/sessions/read-transcript.ts";
import type { SessionLocations } from "../../local/sessions/session-locations.ts";
import { escapeTerminal } from "../../terminal/escape-terminal.ts";
import type { InspectedEntry } from "../inspected.ts";
import { firstWords } from "./item-register.ts";
import { fileStamp, logStamp } from "./log-damage.ts";
import { openLogSession } from "./open-log-session.ts";
import { openTranscriptSession } from "./open-transcript-session.ts";
import type { DescribeModel, OpenedSession } from "./opened-session.ts";
import { createSessionOverview } from "./session-overview.ts";

/** The scope of the shelf: the sessions of projects, one session with its agents, or files by themselves. */
export interface ShelfScope {
  readonly projects?: readonly string[];
  readonly session?: FoundSession;
  readonly files?: readonly string[];
}

/** The sessions that can be looked at. Whatever is asked for by another name than one of the list is not there. */
export interface SessionShelf {
  list(): Promise<Result<readonly InspectedEntry[]>>;
  open(id: string): Promise<Result<OpenedSession>>;
}

export interface ShelfOptions {
  readonly locations: SessionLocations;
  readonly scope: ShelfScope;
  readonly describe: DescribeModel;
  readonly signal: AbortSignal;
}

type ShelvedSession =
  | { readonly kind: "session"; readonly found: FoundSession }
  | { readonly kind: "file"; readonly path: string };

/** How many sessions are kept in memory at once. */
const maxOpened = 4;
/** A list says what the beginning of a transcript says. */
const headBytes = 256 * 1024;

export function createSessionShelf({ locations, scope, describe, signal }: ShelfOptions): SessionShelf {
  const opened = new Map<string, OpenedSession>();
  const descriptions = new Map<string, { readonly stamp: string; readonly entry: InspectedEntry }>();

  async function sessionsOf(project: string): Promise<Result<readonly FoundSession[]>> {
    const store = locations.store(project);
    const ids = await store.sessions.ids();
    if (!ids.ok) return ids;
    const all: FoundSession[] = [];
    for (const session of ids.value)
      all.push(...(await withAgents({ project, session, address: store.sessions.address(session), store })));
    return ok(all);
  }

  async function withAgents(found: FoundSession): Promise<readonly FoundSession[]> {
    const { sessions } = found.store;
    const agents = await sessions.agentsOf(found.session);
    const forks = agents.ok ? agents.value : [];
    return [found, ...forks.map((session) => ({ ...found, session, address: sessions.address(session) }))];
  }

  /** By id; a second session of that name, in another project or folder, has it in its own. */
  async function shelved(): Promise<Result<ReadonlyMap<string, ShelvedSession>>> {
    const all = new Map<string, ShelvedSession>();
    const put = (names: readonly string[], one: ShelvedSession) => {
      const id = names.find((name) => !all.has(name));
      if (id !== undefined) all.set(id, one);
    };
    const found: FoundSession[] = scope.session ? [...(await withAgents(scope.session))] : [];
    for (const project of scope.projects ?? []) {
      const sessions = await sessionsOf(project);
      if (!sessions.ok) return sessions;
      found.push(...sessions.value);
    }
    for (const one of found)
      put([one.session, `${one.project}:${one.session}`], { kind: "session", found: one });
    for (const path of scope.files ?? []) put([basename(path), path], { kind: "file", path });
    return ok(all);
  }

  async function isLive({ store, session }: FoundSession): Promise<boolean> {
    const held = await store.sessions.holder(session);
    if (!held.ok || held.value === null) return false;
    const { state, isRecent } = held.value;
    return state === "alive" || (state === "unsure" && isRecent);
  }

  /** Reads the description of a file or a log again only when it has changed. */
  async function described(
    address: string,
    stamp: string,
    describeNow: () => Promise<InspectedEntry>,
  ): Promise<InspectedEntry> {
    const known = descriptions.get(address);
    if (known?.stamp === stamp) return known.entry;
    const entry = await describeNow();
    descriptions.set(address, { stamp, entry });
    return entry;
  }

  async function describeShelved(id: string, one: ShelvedSession): Promise<InspectedEntry> {
    if (one.kind === "file")
      return described(one.path, await fileStamp(one.path), () => describeFile(id, one.path));
    const { found } = one;
    const entry = await described(found.address, await logStamp(found.store.sessions, found.session), () =>
      describeSession(id, found),
    );
    return { ...entry, isLive: await isLive(found) };
  }

  async function describeSession(id: string, found: FoundSession): Promise<InspectedEntry> {
    const listing = await found.store.sessions.listing(found.session);
    return {
      id,
      title: titleOf(listing),
      project: found.project,
      model: listing.model ?? "unknown",
      startedAt: listing.createdAt ?? listing.modifiedAt,
      changedAt: listing.modifiedAt,
      bytes: listing.bytes,
      isLive: false,
    };
  }

  async function describeFile(id: string, path: string): Promise<InspectedEntry> {
    const about = createSessionOverview();
    const take = (entry: Entry) => about.take(entry);
    const head = createReadStream(path, { end: headBytes - 1, signal });
    await readTranscript(head, { name: path, isOwnPlace: false, signal }, take).catch(() => undefined);
    const stats = await stat(path).catch(() => ({ size: 0, mtimeMs: 0 }));
    const said = about.about();
    const changedAt = new Date(stats.mtimeMs).toISOString();
    return {
      ...said,
      id,
      title: said.title || escapeTerminal(basename(path)),
      project: escapeTerminal(basename(dirname(path))),
      startedAt: said.startedAt || changedAt,
      changedAt,
      bytes: stats.size,
      isLive: false,
    };
  }

  function openShelved(id: string, one: ShelvedSession): OpenedSession {
    if (one.kind === "file") return openTranscriptSession({ id, path: one.path, describe, signal });
    const { found } = one;
    return openLogSession({ id, found, describe, isLive: () => isLive(found) });
  }

  return {
    async list() {
      const all = await shelved();
      if (!all.ok) return all;
      const entries: InspectedEntry[] = [];
      for (const [id, one] of all.value) entries.push({ ...(await describeShelved(id, one)), id });
      return ok(entries.sort((a, b) => (a.changedAt < b.changedAt ? 1 : a.changedAt > b.changedAt ? -1 : 0)));
    },
    async open(id) {
      const known = opened.get(id);
      const all = known ? null : await shelved();
      if (all && !all.ok) return all;
      const one = all?.value.get(id);
      if (!known && !one) return noSession(id);
      const session = known ?? openShelved(id, one as ShelvedSession);
      opened.delete(id);
      opened.set(id, session);
      for (const oldest of opened.keys()) {
        if (opened.size <= maxOpened) break;
        opened.delete(oldest);
      }
      const refreshed = await session.refresh();
      if (refreshed.ok) return ok(session);
      opened.delete(id);
      return refreshed;
    },
  };
}

function titleOf({ title, firstPrompt, problem }: LogListing): string {
  return firstWords(title ?? firstPrompt ?? (problem === undefined ? "" : `(${problem})`));
}

function noSession(id: string): Result<never> {
  return fail("not-found", `There is no session “${escapeTerminal(id)}” here.`, {
    path: id,
    fix: "Choose one of the list.",
  });
}
