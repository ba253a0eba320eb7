import { createHash } from "node:crypto";
import {
  createSession,
  createSessionState,
  emptyReport,
  loadLearnedGaps,
  loadLearnedRates,
  noFeatures,
  noMask,
  resolveConfig,
  type SessionLog,
  type SessionState,
} from "@palimpsest/core/internal";
import {
  type BlobStore,
  type Clock,
  type Entry,
  type EntryDraft,
  type EventBody,
  type FileTree,
  fail,
  type Layer,
  type LeaseStore,
  type LogStore,
  ok,
  type Prices,
  type Session,
  type Settings,
  type Store,
} from "@palimpsest/core/spec";

/** A session of the real engine, in memory, at the recorded times. */
export interface ReplaySession {
  readonly session: Session;
  readonly state: SessionState;
  readonly log: MemoryLog;
  readonly clock: ReplayClock;
}

export interface ReplaySessionOptions {
  readonly model: string;
  readonly startMs: number;
  readonly ttl: "5m" | "1h";
  readonly layers: readonly Layer[];
  readonly settings?: Settings;
  /** The window of the model; absent: none is too small. */
  readonly windowTokens?: number;
  readonly onEvent: (event: EventBody) => void;
}

/** Recordings came through a window of their own: unless a policy asks for one, none is too small. */
const unlimitedTokens = 10_000_000;

/** The cost of every request is known: nobody needs to be told of breaks. */
const unwatched = { "prefix-guard": false };

export async function openReplaySession(options: ReplaySessionOptions): Promise<ReplaySession> {
  const { model, startMs, ttl, layers, settings = {}, windowTokens = unlimitedTokens, onEvent } = options;
  /** No thinking is bound to its prefix: recordings have lost their signatures. */
  const capabilities = { contextWindow: windowTokens, prefixBoundThinking: false };
  const clock = createReplayClock(startMs);
  const configFor = (name: string) =>
    resolveConfig({
      model: name,
      options: {
        ...settings,
        flags: { ...unwatched, ...settings.flags },
        catalog: { capabilities: { "*": capabilities } },
      },
      environment: {},
      clock,
    });
  const config = await configFor(model);
  if (!config.ok) throw config.error;
  const { catalog } = config.value;
  const rates = await loadLearnedRates(undefined);
  const known = new Map<string, Prices>();
  const state = createSessionState({
    pricesOf(answered, name = answered ?? model) {
      const prices = known.get(name) ?? catalog.prices(name).value;
      known.set(name, prices);
      return prices;
    },
    observe: (name = model, features, tokens) => rates.observe(name, features, tokens),
  });
  state.begin({ bytes: "", features: noFeatures });
  const log = createMemoryLog(clock.now);
  let ids = 0;
  const { session, start } = createSession({
    id: "replay",
    source: "main",
    cwd: "/",
    durability: "relaxed",
    configFor,
    forkParts: async () => fail("invalid-input", "A recording has no forks of its own."),
    head: { model, system: [], tools: [], traits: [], fields: {} },
    state,
    log,
    store: createMemoryStore(),
    clock,
    ids: {
      next(prefix) {
        ids += 1;
        return `${prefix}_${ids}`;
      },
    },
    layers,
    config: config.value,
    rates,
    gaps: await loadLearnedGaps(undefined),
    ttl,
    emit: onEvent,
    secrets: noMask,
  });
  await start();
  return { session, state, log, clock };
}

/** Shows the recorded time. Nothing ever waits for it. */
interface ReplayClock extends Clock {
  show(atMs: number): void;
}

export function createReplayClock(startMs: number): ReplayClock {
  let nowMs = startMs;
  return {
    show(atMs) {
      nowMs = atMs;
    },
    now: () => nowMs,
    monotonic: () => Math.max(0, nowMs - startMs),
    sleep: async () => undefined,
  };
}

const absentFailure = async () => fail("not-found", "A replay has neither logs of its own nor files.");

const logs: LogStore = {
  create: absentFailure,
  open: absentFailure,
  scan: absentFailure,
  read: absentFailure,
  list: absentFailure,
  remove: absentFailure,
};
const leases: LeaseStore = { acquire: absentFailure, holder: absentFailure, forget: absentFailure };
const tree: FileTree = {
  read: absentFailure,
  write: absentFailure,
  remove: absentFailure,
  list: absentFailure,
  history: absentFailure,
};

/** The storage ports of a replay: blobs in memory, and nothing else. */
function createMemoryStore(): Store {
  return { logs, leases, blobs: createMemoryBlobs(), tree: () => tree };
}

function createMemoryBlobs(): BlobStore {
  const known = new Map<string, Uint8Array>();
  return {
    async put(_session, bytes) {
      const blob = createHash("sha256").update(bytes).digest("hex");
      known.set(blob, bytes);
      const lines = Buffer.from(bytes).toString("utf8").split("\n").length;
      return ok({ blob, bytes: bytes.length, lines });
    },
    async get(_session, sha256) {
      const bytes = known.get(sha256);
      return bytes ? ok(bytes) : fail("not-found", `There is no blob ${sha256}.`, { path: sha256 });
    },
    list: async () => ok([...known.keys()]),
    name: async (_session, _sha256, name) => ok(name),
    async removeAll() {
      known.clear();
      return ok();
    },
  };
}

/** A session's log in memory: nothing is encoded, nothing outlives it. */
interface MemoryLog extends SessionLog {
  /** The next message appended gets this id: so a recorded message has one id in all replays of its session. */
  nameNextMessage(id: string): void;
  readonly lastSeq: number;
  readonly entries: readonly Entry[];
}

/** Left for the header that a log in a file begins with. */
const headerSeq = 1;

/** `now` is the time of entries that bring none. */
function createMemoryLog(now: () => number): MemoryLog {
  const entries: Entry[] = [];
  let nextMessage: string | undefined;

  function idOf(draft: EntryDraft, number: number): string {
    if (draft.id !== undefined) return draft.id;
    const given = draft.kind === "message" ? nextMessage : undefined;
    if (given === undefined) return `${draft.kind}_${number}`;
    nextMessage = undefined;
    return given;
  }

  return {
    report: { ...emptyReport, epoch: 1 },
    isReadOnly: false,
    get lastSeq() {
      return headerSeq + entries.length;
    },
    entries,
    nameNextMessage(id) {
      nextMessage = id;
    },
    async append(drafts) {
      const appended = drafts.map((draft, offset): Entry => {
        const number = entries.length + offset + 1;
        const seq = headerSeq + number;
        const at = draft.at ?? new Date(now()).toISOString();
        return { ...draft, v: 1, seq, epoch: 1, id: idOf(draft, number), at };
      });
      entries.push(...appended);
      return ok(appended);
    },
    async *readAfter(seq) {
      for (const entry of entries.slice(Math.max(0, seq - headerSeq))) yield ok(entry);
    },
    readBlob: async (sha256) => fail("not-found", `There is no blob ${sha256}.`, { path: sha256 }),
    close: async () => ok(),
  };
}
