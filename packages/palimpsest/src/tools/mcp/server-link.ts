import { withinTime } from "@palimpsest/core/internal";
import { fail, ok, type PalimpsestError, type Result } from "@palimpsest/core/spec";
import type { McpServerState } from "./channel.ts";
import { type Connection, type ConnectionOptions, openConnection } from "./connection.ts";
import type { ListedTool } from "./listed-tool.ts";
import { maskSecrets, type ServerTarget } from "./server-target.ts";

/** The way to one server: opened when it is needed, opened again when it was lost. */
export interface ServerLink {
  readonly target: ServerTarget;
  readonly options: ConnectionOptions;
  /** The open connection. Callers share one attempt; a server that has failed is not tried. Never rejects. */
  connected(): Promise<Result<Connection>>;
  /** The server's tools as last heard; kept while it is lost. */
  tools(): readonly ListedTool[];
  instructions(): string | undefined;
  title(): string | undefined;
  state(): McpServerState;
  error(): PalimpsestError | undefined;
  /** It has answered: earlier losses are forgotten. */
  markHealthy(): void;
  /** Lets a server that has failed be tried again. */
  resetFailures(): void;
  /** Gives a connection up that is of no use any more. */
  drop(connection: Connection): Promise<void>;
  close(): Promise<void>;
}

export interface LinkListeners {
  readonly onTools: () => void;
  readonly onFailure: (error: PalimpsestError) => void;
}

export function createServerLink(
  target: ServerTarget,
  options: ConnectionOptions,
  { onTools, onFailure }: LinkListeners,
): ServerLink {
  const { clock, numbers } = options;
  const closing = new AbortController();
  const leaving = new Set<Promise<void>>();
  let connection: Connection | undefined;
  let attempt: Promise<Result<Connection>> | undefined;
  let error: PalimpsestError | undefined;
  let hasFailed = false;
  let losses = 0;
  let newest: Connection | undefined;
  let tools: readonly ListedTool[] = [];
  const relisting = createRelisting(relist);

  function failWith(found: PalimpsestError): void {
    error = found;
    if (hasFailed || closing.signal.aborted) return;
    hasFailed = true;
    onFailure(found);
  }

  function adopt(opened: Connection): void {
    connection = opened;
    newest = opened;
    tools = opened.tools;
    error = undefined;
    void opened.closed.then(() => lose(opened));
    onTools();
    relisting.resume();
  }

  function lose(lost: Connection): void {
    if (connection !== lost) return;
    connection = undefined;
    losses += 1;
    const message = maskSecrets(["it ended by itself", lost.traces()].filter(Boolean).join(". "), target);
    const details = { fix: "Look at its error output; then reconnect it.", retryable: true };
    const failure = fail(
      "crashed",
      losses > 1 ? `${message}\n(${losses} times without an answer)` : message,
      details,
    );
    error = failure.error;
    if (losses >= numbers.maxLosses) failWith(failure.error);
  }

  async function reach(): Promise<Result<Connection>> {
    const tries = newest ? numbers.reconnectTries : 1;
    let found: Result<Connection> = fail("closed", "it was closed");
    for (let number = 0; number < tries; number += 1) {
      if (number > 0) await clock.sleep(numbers.reconnectDelayMs * 2 ** (number - 1), closing.signal);
      if (closing.signal.aborted) return fail("closed", "it was closed");
      found = await openConnection(target, options, {
        signal: closing.signal,
        onToolsChanged: relisting.request,
      });
      if (found.ok) {
        adopt(found.value);
        return found;
      }
      if (!found.error.retryable) break;
    }
    if (!found.ok) failWith(found.error);
    return found;
  }

  async function relist(): Promise<boolean> {
    const asked = connection;
    if (asked === undefined || !asked.isOpen()) return false;
    const asking = asked.listTools().catch(() => undefined);
    const listed = await withinTime(asking, numbers.connectMs, clock, closing.signal);
    if (listed === undefined || connection !== asked) return true;
    tools = listed;
    onTools();
    return true;
  }

  async function drop(dropped: Connection): Promise<void> {
    if (connection === dropped) connection = undefined;
    const left = dropped.close();
    leaving.add(left);
    await left;
    leaving.delete(left);
  }

  return {
    target,
    options,
    async connected() {
      if (closing.signal.aborted) return fail("closed", "it was closed");
      if (connection?.isOpen()) return ok(connection);
      if (hasFailed && error !== undefined) return { ok: false, error };
      attempt ??= reach().finally(() => {
        attempt = undefined;
      });
      return attempt;
    },
    tools: () => tools,
    instructions: () => newest?.instructions,
    title: () => newest?.title,
    state() {
      if (closing.signal.aborted) return "closed";
      if (attempt !== undefined) return "connecting";
      if (hasFailed) return "failed";
      return connection?.isOpen() ? "ready" : "lost";
    },
    error: () => error,
    markHealthy() {
      losses = 0;
    },
    resetFailures() {
      hasFailed = false;
      losses = 0;
    },
    drop,
    async close() {
      closing.abort();
      await attempt;
      if (connection !== undefined) await drop(connection);
      await Promise.all(leaving);
    },
  };
}

/** Asks a server again for its tools when it says that they have changed. */
interface ToolRefresh {
  /** The tools have changed; said any number of times meanwhile, it is asked once more. */
  request(): void;
  /** Asks now, where that was not possible when it was requested. */
  resume(): void;
}

/** `list` asks, and gives false where nobody can be asked: then the request stays open. It must not reject. */
export function createRelisting(list: () => Promise<boolean>): ToolRefresh {
  let isStale = false;
  let isRunning = false;

  async function run(): Promise<void> {
    if (isRunning) return;
    isRunning = true;
    let isPossible = true;
    while (isStale && isPossible) {
      isStale = false;
      isPossible = await list();
      isStale ||= !isPossible;
    }
    isRunning = false;
  }

  return {
    request() {
      isStale = true;
      void run();
    },
    resume: () => void run(),
  };
}
