import {
  type Clock,
  fail,
  ok,
  type PalimpsestError,
  type Result,
  type ToolContext,
  type ToolOutcome,
} from "@palimpsest/core/spec";
import { orAborted } from "../../signals.ts";
import {
  abortedOutcome,
  lostOutcome,
  notMadeOutcome,
  removedOutcome,
  stalledOutcome,
} from "./call-outcomes.ts";
import type { McpServerStatus, McpWarning } from "./channel.ts";
import { systemCode } from "./connect-failure.ts";
import type { Connection, ConnectionOptions } from "./connection.ts";
import { type ListedTool, shorten } from "./listed-tool.ts";
import type { McpSdk } from "./load-sdk.ts";
import type { McpNumbers } from "./mcp-numbers.ts";
import { toOutcome } from "./result-content.ts";
import { createServerLink, type ServerLink } from "./server-link.ts";
import { maskSecrets, type ServerTarget } from "./server-target.ts";

export interface McpServer {
  readonly name: string;
  /** Reaches for it the first time; resolves once it is there or has failed. Never rejects. */
  start(options: ConnectionOptions): Promise<void>;
  /** It cannot even be tried. */
  giveUp(error: PalimpsestError): void;
  /** The tools it had when it was heard of last. */
  tools(): readonly ListedTool[];
  instructions(): string | undefined;
  /** The tool's answer. Reaches for the server first where it was lost. Never rejects. */
  call(tool: string, input: unknown, context: Pick<ToolContext, "signal" | "progress">): Promise<ToolOutcome>;
  /** Tries once more, though it has failed. */
  reconnect(): Promise<Result<void>>;
  status(): McpServerStatus;
  close(): Promise<void>;
}

export interface McpServerOptions {
  readonly name: string;
  readonly transport: McpServerStatus["transport"];
  readonly target: Result<ServerTarget>;
  readonly onTools: () => void;
  readonly onWarning: (warning: McpWarning) => void;
}

/** One server through all its connections. */
export function createMcpServer({
  name,
  transport,
  target,
  onTools,
  onWarning,
}: McpServerOptions): McpServer {
  let link: ServerLink | undefined;
  let broken: PalimpsestError | undefined;

  function warn({ message, fix }: PalimpsestError): void {
    onWarning({
      server: name,
      message: `MCP server “${name}”: ${message}`,
      ...(fix !== undefined && { fix }),
    });
  }

  return {
    name,
    async start(options) {
      if (!target.ok) {
        broken = target.error;
        return warn(broken);
      }
      link = createServerLink(target.value, options, { onTools, onFailure: warn });
      await link.connected();
    },
    giveUp(error) {
      broken = error;
    },
    tools: () => link?.tools() ?? [],
    instructions: () => link?.instructions(),
    call: async (tool, input, context) =>
      link === undefined
        ? notMadeOutcome({ server: name }, "it is not connected")
        : callServer(link, { server: name, tool, input, context }),
    async reconnect() {
      if (broken !== undefined) return { ok: false, error: broken };
      if (link === undefined) return fail("closed", "It has not been started.", { fix: "Start it first." });
      link.resetFailures();
      const reached = await link.connected();
      return reached.ok ? ok() : reached;
    },
    status() {
      const error = broken ?? link?.error();
      const title = link?.title();
      return {
        name,
        transport,
        state: broken === undefined ? (link?.state() ?? "waiting") : "failed",
        toolCount: link?.tools().length ?? 0,
        ...(title !== undefined && { title }),
        ...(error !== undefined && { error: error.message }),
        ...(error?.fix !== undefined && { fix: error.fix }),
      };
    },
    close: async () => link?.close(),
  };
}

interface ServerCall {
  readonly server: string;
  readonly tool: string;
  readonly input: unknown;
  readonly context: Pick<ToolContext, "signal" | "progress">;
}

/** Makes a call, once more where the server has certainly not done anything. What goes wrong is said. Never rejects. */
async function callServer(link: ServerLink, call: ServerCall): Promise<ToolOutcome> {
  const { server, tool, input, context } = call;
  const isReadOnly = link.tools().some((one) => one.name === tool && one.isReadOnly);
  const called = { server, tool, isReadOnly };
  for (let isAgain = false; ; isAgain = true) {
    const reached = await orAborted(link.connected(), context.signal);
    if (reached === undefined) return notMadeOutcome(called, "the call was cancelled");
    if (!reached.ok) return notMadeOutcome(called, reached.error.message, reached.error.fix);
    if (!link.tools().some((one) => one.name === tool)) return removedOutcome(called);
    const end = await makeCall({ ...link.options, connection: reached.value, context }, tool, input);
    switch (end.kind) {
      case "answered":
        link.markHealthy();
        return end.outcome;
      case "aborted":
        return abortedOutcome(called);
      case "refused":
        return notMadeOutcome(called, `it refused the request (${end.why})`, "Tell the user.");
      case "stalled":
        void link.drop(reached.value);
        return stalledOutcome(called, link.options.numbers.stalledMs);
      case "lost":
        return lostOutcome(called, await explainLoss(link, reached.value, end.why));
      case "not-made":
        void link.drop(reached.value);
        if (isAgain) return notMadeOutcome(called, end.why);
    }
  }
}

/** A program that has ended has said why on its error output; an address tells nothing more. */
async function explainLoss(link: ServerLink, connection: Connection, why: string): Promise<string> {
  if (connection.isOpen()) {
    void link.drop(connection);
    return maskSecrets(why, link.target);
  }
  await connection.closed;
  const traces = connection.traces();
  return maskSecrets(["its program ended", traces].filter((text) => text !== "").join(". "), link.target);
}

/** How one attempt at a call ended. After `not-made` the server has done nothing; after the last three it may have. */
type CallEnd =
  | { readonly kind: "answered"; readonly outcome: ToolOutcome }
  | { readonly kind: "not-made"; readonly why: string }
  | { readonly kind: "refused"; readonly why: string }
  | { readonly kind: "lost"; readonly why: string }
  | { readonly kind: "aborted" }
  | { readonly kind: "stalled" };

interface CallContext {
  readonly connection: Connection;
  readonly sdk: McpSdk;
  readonly clock: Clock;
  readonly numbers: McpNumbers;
  readonly context: Pick<ToolContext, "signal" | "progress">;
}

/** One attempt. It may take as long as the server shows signs of life. Never rejects. */
async function makeCall(scene: CallContext, tool: string, input: unknown): Promise<CallEnd> {
  const { connection, clock, numbers, context } = scene;
  if (context.signal.aborted) return { kind: "aborted" };
  if (!connection.isOpen()) return { kind: "not-made", why: "it is not connected" };
  const call = new AbortController();
  const abort = () => call.abort("The call was cancelled.");
  context.signal.addEventListener("abort", abort);
  const over = new AbortController();
  const answer = connection
    .callTool(tool, input, {
      signal: call.signal,
      onProgress: (step) => context.progress(progressText(step)),
    })
    .then(
      (result): CallEnd => ({ kind: "answered", outcome: toOutcome(result, numbers.maxResultChars) }),
      (cause): CallEnd => (context.signal.aborted ? { kind: "aborted" } : failureOf(cause, scene)),
    );
  const stall = waitForStall(connection, { clock, numbers, signal: over.signal });
  const end = await Promise.race([answer, stall.then((): CallEnd => ({ kind: "stalled" }))]);
  over.abort();
  context.signal.removeEventListener("abort", abort);
  if (end.kind === "stalled") abort();
  return end;
}

const maxWhyChars = 2_000;

function failureOf(cause: unknown, { sdk, connection }: CallContext): CallEnd {
  const why = shorten(cause instanceof Error ? cause.message : String(cause), maxWhyChars);
  if (cause instanceof sdk.StreamableHTTPError) {
    if (cause.code === 404 || cause.code === 400) return { kind: "not-made", why: "its session had expired" };
    if (cause.code === 401 || cause.code === 403) return { kind: "refused", why: `HTTP ${cause.code}` };
    return { kind: "lost", why };
  }
  const system = systemCode(cause);
  if (system !== undefined && ["ECONNREFUSED", "ENOTFOUND", "EHOSTUNREACH"].includes(system)) {
    return { kind: "not-made", why: `it could not be reached (${system})` };
  }
  if (cause instanceof sdk.McpError && connection.isOpen()) {
    return { kind: "answered", outcome: { content: `The server refused the call: ${why}`, isError: true } };
  }
  return { kind: "lost", why };
}

function progressText({
  progress,
  total,
  message,
}: {
  progress: number;
  total?: number;
  message?: string;
}): string {
  const count = total === undefined ? `${progress}` : `${progress}/${total}`;
  return message === undefined ? count : `${count} ${message}`;
}

/**
 * Resolves once a server that is asked for a sign of life gives none for `stalledMs`. Whatever it sends is one, so a
 * call may take any time. Stays pending once the signal has aborted.
 */
async function waitForStall(
  { heardMs, ping }: Pick<Connection, "heardMs" | "ping">,
  {
    clock,
    numbers,
    signal,
  }: { readonly clock: Clock; readonly numbers: McpNumbers; readonly signal: AbortSignal },
): Promise<void> {
  const silentMs = () => clock.monotonic() - heardMs();
  while (true) {
    await clock.sleep(numbers.quietMs, signal);
    if (signal.aborted) return new Promise(() => {});
    if (silentMs() < numbers.quietMs) continue;
    ping();
    await clock.sleep(numbers.stalledMs, signal);
    if (signal.aborted) return new Promise(() => {});
    if (silentMs() >= numbers.stalledMs) return;
  }
}
