import type pg from "pg";
import type { Pool, PoolClient, QueryResult } from "pg";
import { type Clock, fail, ok, type PalimpsestError, type Result } from "../../spec/index.ts";
import { maskUrl } from "../store-url.ts";
import { type DatabaseFailure, toDatabaseFailure } from "./database-failure.ts";

interface Rows<Row> {
  readonly rows: readonly Row[];
  /** How many rows the statement has found or changed. */
  readonly count: number;
}

/** Sends one statement. Throws what the driver throws: a transaction ends by it. */
export type Run = <Row extends object = Record<string, unknown>>(
  text: string,
  values?: readonly unknown[],
) => Promise<Rows<Row>>;

export interface SendOptions {
  /** Done twice it is as if done once: it is sent again where a lost connection leaves open whether it was done. */
  readonly isRepeatable?: boolean;
  readonly signal?: AbortSignal;
}

/** A Postgres database through a pool of connections, which may pass through a pooler in transaction mode. */
export interface Database {
  /** The schema of our tables, quoted. */
  readonly schema: string;
  /** For people to read. */
  readonly address: string;
  /** One statement, a transaction by itself. */
  query<Row extends object = Record<string, unknown>>(
    text: string,
    values?: readonly unknown[],
    options?: SendOptions,
  ): Promise<Result<Rows<Row>>>;
  /** The work is undone when it throws or gives a failure. It may be called more than once. */
  transaction<T>(work: (run: Run) => Promise<Result<T>>, options?: SendOptions): Promise<Result<T>>;
  /** Calls `wake` when somebody notifies `channel`; never for sure, since poolers do not pass it on. Ends by the signal, or by closing. */
  listen(channel: string, wake: (payload: string) => void, signal: AbortSignal): void;
  /** Waits for what runs, then ends all connections. Safe to call twice. */
  close(): Promise<void>;
}

export interface DatabaseOptions {
  readonly url: string;
  readonly clock: Clock;
  readonly schema?: string;
  /** Connections at once. */
  readonly maxConnections?: number;
  /** How long to wait for a connection of the pool. */
  readonly connectMs?: number;
  /** How long a statement may go unanswered before its connection is given up. */
  readonly answerMs?: number;
  /** How long to try again while the server is away. */
  readonly patienceMs?: number;
  /** The same while the server has never answered; `patienceMs` where it is absent. */
  readonly firstPatienceMs?: number;
}

const defaultSchema = "palimpsest";
export const databaseDefaults = {
  maxConnections: 10,
  connectMs: 10_000,
  answerMs: 60_000,
  patienceMs: 30_000,
} as const;

/** Waits between two tries: doubled each time up to the last one. */
const firstWaitMs = 25;
const longestWaitMs = 1_000;

const int8 = 20;

/** Opens no connection yet: the first statement does. */
export async function openDatabase(options: DatabaseOptions): Promise<Result<Database>> {
  const schema = options.schema ?? defaultSchema;
  if (!/^[a-z_][a-z0-9_]{0,40}$/.test(schema))
    return fail("invalid-input", `“${schema}” is not a valid name for a schema.`, {
      fix: "Use up to 41 lower-case letters, digits and underscores.",
    });
  const loaded = await loadPg();
  if (!loaded.ok) return loaded;
  const { types } = loaded.value;
  const pool = new loaded.value.Pool({
    connectionString: options.url,
    max: options.maxConnections ?? databaseDefaults.maxConnections,
    connectionTimeoutMillis: options.connectMs ?? databaseDefaults.connectMs,
    query_timeout: options.answerMs ?? databaseDefaults.answerMs,
    idleTimeoutMillis: 10_000,
    allowExitOnIdle: true,
    keepAlive: true,
    application_name: "palimpsest",
    types: {
      // Sequence numbers, places and sizes stay far below 2^53.
      getTypeParser: (oid: number, format?: "text" | "binary") =>
        oid === int8 ? Number : types.getTypeParser(oid, format as "text"),
    },
  });
  // A server that goes away may say so in the same breath in which it takes a connection, before anybody listens.
  pool.on("connect", (client) => client.on("error", () => undefined));
  // A connection that dies while nobody uses it is replaced by the next statement.
  pool.on("error", () => undefined);
  const address = maskUrl(options.url);
  return ok(createDatabase(pool, { ...options, schema: `"${schema}"`, address, pg: loaded.value }));
}

interface Parts extends DatabaseOptions {
  readonly schema: string;
  readonly address: string;
  readonly pg: { readonly Client: typeof import("pg").Client };
}

/** Whether what was sent so far holds although no answer came: a transaction holds nothing before its commit. */
interface Stage {
  mayHaveEffect: boolean;
}

type Work<T> = (client: PoolClient, stage: Stage) => Promise<Result<T>>;

type Attempt<T> = { readonly done: Result<T> } | { readonly failure: DatabaseFailure };

function createDatabase(pool: Pool, parts: Parts): Database {
  const { clock, schema, address } = parts;
  const patienceMs = parts.patienceMs ?? databaseDefaults.patienceMs;
  const listening = new AbortController();
  const firstPatienceMs = parts.firstPatienceMs ?? patienceMs;
  let hasAnswered = false;
  let closing: Promise<void> | null = null;

  async function once<T>(work: Work<T>): Promise<Attempt<T>> {
    let client: PoolClient;
    try {
      client = await pool.connect();
      hasAnswered = true;
    } catch (cause) {
      return { failure: toDatabaseFailure(cause, true) };
    }
    let isBroken = false;
    // Without a listener a connection that is cut between two statements would end the process.
    const onError = () => {
      isBroken = true;
    };
    client.on("error", onError);
    const stage: Stage = { mayHaveEffect: false };
    try {
      return { done: await work(client, stage) };
    } catch (cause) {
      const failure = toDatabaseFailure(cause, !stage.mayHaveEffect);
      isBroken ||= failure.isConnectionLost;
      return { failure };
    } finally {
      client.off("error", onError);
      client.release(isBroken);
    }
  }

  async function repeatedly<T>(
    work: Work<T>,
    { isRepeatable = false, signal }: SendOptions,
  ): Promise<Result<T>> {
    const startMs = clock.monotonic();
    let inDoubt: PalimpsestError | null = null;
    for (let waitMs = firstWaitMs; ; waitMs = Math.min(2 * waitMs, longestWaitMs)) {
      if (closing) return refuseClosed(address);
      if (signal?.aborted) return fail("aborted", "The work on the database was stopped.");
      const attempt = await once(work);
      if ("done" in attempt) return attempt.done;
      const { outcome, error } = attempt.failure;
      // Once it may have been done, later tries that were not sent say nothing about it.
      if (outcome === "unknown") inDoubt ??= error;
      const mayRepeat = outcome === "unsent" || (outcome === "unknown" && isRepeatable);
      const endMs = startMs + (hasAnswered ? patienceMs : firstPatienceMs);
      if (!mayRepeat || clock.monotonic() + waitMs > endMs) return { ok: false, error: inDoubt ?? error };
      await waitAwake(clock, waitMs, signal);
    }
  }

  const runWith =
    (client: PoolClient): Run =>
    async <Row extends object>(text: string, values?: readonly unknown[]) =>
      toRows<Row>(await client.query(text, values as unknown[]));

  return {
    schema,
    address,
    query: <Row extends object>(text: string, values?: readonly unknown[], options: SendOptions = {}) =>
      repeatedly(async (client, stage) => {
        stage.mayHaveEffect = true;
        return ok(await runWith(client)<Row>(text, values));
      }, options),
    transaction: (work, options = {}) =>
      repeatedly(async (client, stage) => {
        const run = runWith(client);
        await run("begin");
        try {
          const result = await work(run);
          stage.mayHaveEffect = true;
          await run(result.ok ? "commit" : "rollback");
          return result;
        } catch (cause) {
          await run("rollback").catch(() => undefined);
          throw cause;
        }
      }, options),
    listen(channel, wake, signal) {
      const either = AbortSignal.any([signal, listening.signal]);
      void keepListening({ ...parts, channel, wake, signal: either });
    },
    close() {
      listening.abort();
      closing ??= pool.end();
      return closing;
    },
  };
}

interface Listening extends Parts {
  readonly channel: string;
  readonly wake: (payload: string) => void;
  readonly signal: AbortSignal;
}

/** One connection of its own, opened again whenever it is lost. */
async function keepListening({ pg, url, clock, channel, wake, signal }: Listening): Promise<void> {
  for (let waitMs = firstWaitMs; !signal.aborted; waitMs = Math.min(2 * waitMs, longestWaitMs)) {
    const client = new pg.Client({ connectionString: url, keepAlive: true, application_name: "palimpsest" });
    const ended = new Promise<void>((resolve) => {
      client.once("end", resolve).on("error", () => resolve());
      signal.addEventListener("abort", () => resolve(), { once: true });
    });
    try {
      await client.connect();
      client.on("notification", ({ payload = "" }) => wake(payload));
      await client.query(`listen "${channel}"`);
      waitMs = firstWaitMs;
      // Notifications sent while nobody listened are found by looking.
      wake("");
      await ended;
    } catch {
      // The next round tries again; polling does the work until then.
    }
    await client.end().catch(() => undefined);
    await clock.sleep(waitMs, signal);
  }
}

/** A sleeping clock keeps no process alive; whoever waits for an answer must not end before it comes. */
async function waitAwake(clock: Clock, ms: number, signal?: AbortSignal): Promise<void> {
  const awake = setInterval(() => undefined, longestWaitMs);
  try {
    await clock.sleep(ms, signal);
  } finally {
    clearInterval(awake);
  }
}

function toRows<Row extends object>({ rows, rowCount }: QueryResult): Rows<Row> {
  return { rows: rows as Row[], count: rowCount ?? 0 };
}

function refuseClosed(address: string): Result<never> {
  return fail("closed", `The store on ${address} is closed.`, { fix: "Open it again." });
}

export type Pg = typeof pg;

/** The driver, loaded when a database is opened: who keeps files never needs it. */
export async function loadPg(): Promise<Result<Pg>> {
  try {
    return ok((await import("pg")).default);
  } catch (cause) {
    return fail("not-found", "A store on Postgres needs the package “pg”, which is not installed.", {
      fix: "Install it beside palimpsest: npm install pg",
      cause,
    });
  }
}
