import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { type Entry, fail, type LogListing, ok, type Result } from "../../../spec/index.ts";
import { agentsOf } from "../../../stores/files/agents-of.ts";
import { judgeHolder } from "../../../stores/files/holder-judgement.ts";
import { leasePatienceMs } from "../../../stores/files/lease-store.ts";
import { listLog } from "../../../stores/files/log-listing.ts";
import { toHarmless } from "../../cli/harmless.ts";
import type { FoundSession } from "../../cli/sessions/find-session.ts";
import { readTranscript } from "../../cli/sessions/read-transcript.ts";
import type { SessionPlaces } from "../../cli/sessions/session-places.ts";
import type { InspectedEntry } from "../inspected.ts";
import { fileStamp } from "./file-stamp.ts";
import { firstWords } from "./item-title.ts";
import type { DescribeModel } from "./model-facts.ts";
import { openLogSession } from "./open-log-session.ts";
import { openTranscriptSession } from "./open-transcript-session.ts";
import type { OpenedSession } from "./opened-session.ts";
import { createSessionAbout } from "./session-about.ts";

/** What is looked at: the sessions of projects, one session with its agents, or files by themselves. */
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
  readonly places: SessionPlaces;
  readonly scope: ShelfScope;
  readonly describe: DescribeModel;
  readonly signal: AbortSignal;
}

type Shelved =
  | { readonly kind: "session"; readonly found: FoundSession }
  | { readonly kind: "file"; readonly path: string };

/** How many sessions are kept in memory at once. */
const maxOpened = 4;
/** A list says what the beginning of a transcript says. */
const headBytes = 256 * 1024;

export function createSessionShelf({ places, scope, describe, signal }: ShelfOptions): SessionShelf {
  const { disk } = places;
  const opened = new Map<string, OpenedSession>();
  const descriptions = new Map<string, { readonly stamp: string; readonly entry: InspectedEntry }>();

  async function sessionsOf(project: string): Promise<Result<readonly FoundSession[]>> {
    const store = places.store(project);
    const names = await disk.list(store.layout.sessions);
    if (!names.ok) return names.error.code === "not-found" ? ok([]) : names;
    const all: FoundSession[] = [];
    for (const name of names.value) {
      const [, session] = /^(.+)\.jsonl$/.exec(name) ?? [];
      if (session === undefined) continue;
      const path = `${store.layout.sessions}/${name}`;
      all.push(...(await withAgents({ project, session, path, store })));
    }
    return ok(all);
  }

  async function withAgents(found: FoundSession): Promise<readonly FoundSession[]> {
    const agents = await agentsOf(disk, found.store.layout, found.session);
    const forks = (agents.ok ? agents.value : []).flatMap((session) => {
      const path = found.store.layout.log(session);
      return path.ok ? [{ ...found, session, path: path.value }] : [];
    });
    return [found, ...forks];
  }

  /** By id; a second session of that name, in another project or folder, has it in its own. */
  async function shelved(): Promise<Result<ReadonlyMap<string, Shelved>>> {
    const all = new Map<string, Shelved>();
    const put = (names: readonly string[], one: Shelved) => {
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
    const holder = await store.leases.holder(session);
    if (!holder.ok || holder.value === null) return false;
    const state = await judgeHolder(holder.value, await places.processes.self(), places.processes.look);
    const isRecent = places.clock.now() - holder.value.heartbeatMs < leasePatienceMs;
    return state === "alive" || (state === "unsure" && isRecent);
  }

  /** What a file says of itself is read again only when it has changed. */
  async function described(
    path: string,
    describeNow: () => Promise<InspectedEntry>,
  ): Promise<InspectedEntry> {
    const stamp = await fileStamp(path);
    const known = descriptions.get(path);
    if (known?.stamp === stamp) return known.entry;
    const entry = await describeNow();
    descriptions.set(path, { stamp, entry });
    return entry;
  }

  async function describeShelved(id: string, one: Shelved): Promise<InspectedEntry> {
    if (one.kind === "file") return described(one.path, () => describeFile(id, one.path));
    const { found } = one;
    const entry = await described(found.path, () => describeSession(id, found));
    return { ...entry, isLive: await isLive(found) };
  }

  async function describeSession(id: string, found: FoundSession): Promise<InspectedEntry> {
    const listing = await listLog(disk, found.path, found.session);
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
    const about = createSessionAbout();
    const take = (entry: Entry) => about.take(entry);
    const head = createReadStream(path, { end: headBytes - 1, signal });
    await readTranscript(head, { name: path, isOwnPlace: false, signal }, take).catch(() => undefined);
    const stats = await stat(path).catch(() => ({ size: 0, mtimeMs: 0 }));
    const said = about.about();
    const changedAt = new Date(stats.mtimeMs).toISOString();
    return {
      ...said,
      id,
      title: said.title || toHarmless(basename(path)),
      project: toHarmless(basename(dirname(path))),
      startedAt: said.startedAt || changedAt,
      changedAt,
      bytes: stats.size,
      isLive: false,
    };
  }

  function openShelved(id: string, one: Shelved): OpenedSession {
    if (one.kind === "file") return openTranscriptSession({ id, path: one.path, describe, signal });
    const { found } = one;
    return openLogSession({ id, found, disk, describe, isLive: () => isLive(found) });
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
      const session = known ?? openShelved(id, one as Shelved);
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
  return fail("not-found", `There is no session “${toHarmless(id)}” here.`, {
    path: id,
    fix: "Choose one of the list.",
  });
}
