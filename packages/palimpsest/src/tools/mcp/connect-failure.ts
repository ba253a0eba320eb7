import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { type Clock, type ErrorCode, fail, type Result } from "@palimpsest/core/spec";
import type { Channel } from "./channel.ts";
import { shorten } from "./listed-tool.ts";
import type { McpSdk } from "./load-sdk.ts";
import type { McpNumbers } from "./mcp-numbers.ts";
import { maskSecrets, type ServerTarget } from "./server-target.ts";

const maxCauseChars = 300;

type Explanation = readonly [code: ErrorCode, message: string, fix: string];

/** Why a server could not be reached, and what to do. Nothing secret is in it. */
export function connectFailure(
  cause: unknown,
  target: ServerTarget,
  context: { readonly sdk: McpSdk; readonly numbers: McpNumbers },
  traces: string,
): Result<never> {
  const [code, message, fix] = explain(cause, target, context);
  const text = traces === "" ? message : `${message}. ${traces}`;
  return fail(code, maskSecrets(text, target), { fix, retryable: code !== "unauthenticated" });
}

function explain(
  cause: unknown,
  target: ServerTarget,
  { sdk, numbers }: { readonly sdk: McpSdk; readonly numbers: McpNumbers },
): Explanation {
  if (cause === "closed") return ["closed", "it was closed before it answered", "Begin again."];
  const byHand =
    target.kind === "stdio"
      ? "Run its command by hand to see what it does."
      : `Check that ${placeOf(target.url)} is an MCP server with streamable HTTP, and that it runs.`;
  if (cause === "late") return ["timeout", `it did not answer within ${numbers.connectMs / 1000} s`, byHand];
  if (cause instanceof sdk.StreamableHTTPError && (cause.code === 401 || cause.code === 403)) {
    const fix = "Check the headers of this server in the settings, and the variables they name.";
    return ["unauthenticated", `it refused the connection (HTTP ${cause.code})`, fix];
  }
  const system = systemCode(cause);
  if (target.kind === "http" && system !== undefined) {
    return ["disconnected", `it could not be reached (${system})`, byHand];
  }
  if (target.kind === "stdio" && system === "ENOENT") {
    const fix = "Install the program, or correct command and cwd of this server in the settings.";
    return ["not-found", `its program ${target.command} was not found, or its folder ${target.cwd}`, fix];
  }
  if (target.kind === "stdio" && system !== undefined) {
    return ["io", `its program ${target.command} could not be started (${system})`, byHand];
  }
  const text = shorten(cause instanceof Error ? cause.message : String(cause), maxCauseChars);
  if (/protocol version/i.test(text)) {
    return ["unknown-format", `it speaks another version of the protocol: ${text}`, "Update the server."];
  }
  if (target.kind === "stdio" && /Connection closed/.test(text)) {
    return ["crashed", "its program ended before it answered", byHand];
  }
  return ["malformed-response", `it did not answer as an MCP server: ${text}`, byHand];
}

/** `ENOENT`, `ECONNREFUSED`, …: what the machine says, where it was the machine. */
export function systemCode(cause: unknown): string | undefined {
  const { code, cause: inner } = (cause ?? {}) as { readonly code?: unknown; readonly cause?: unknown };
  if (typeof code === "string" && /^E[A-Z]+$|^UND_ERR_/.test(code)) return code;
  return inner === undefined ? undefined : systemCode(inner);
}

/** An address without what may be secret in it. */
function placeOf(url: string): string {
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname}`;
}

type WatchedChannel = Pick<Channel, "closed" | "isOpen" | "heardMs" | "lastRequestId"> & {
  /** How many lines came that are no messages. */
  strayLines(): number;
  /** The last fault besides, where it was not the machine's. */
  fault(): string;
};

/** Listens on a transport that nobody listens on yet; the SDK's client calls these listeners before its own. */
export function watchTransport(transport: Transport, clock: Clock): WatchedChannel {
  let isOpen = true;
  let heardMs = clock.monotonic();
  let strayLines = 0;
  let fault = "";
  let requestId: unknown;
  const closed = new Promise<void>((resolve) => {
    transport.onclose = () => {
      isOpen = false;
      setImmediate(resolve);
    };
  });
  transport.onmessage = () => {
    heardMs = clock.monotonic();
  };
  transport.onerror = (error) => {
    if (error.name === "SyntaxError" || error.name === "ZodError") strayLines += 1;
    else if (!("code" in error)) fault = error.message;
  };
  const send = transport.send.bind(transport);
  transport.send = (message, options) => {
    if ("method" in message && "id" in message) requestId = message.id;
    return send(message, options);
  };
  return {
    closed,
    isOpen: () => isOpen,
    heardMs: () => heardMs,
    lastRequestId: () => requestId,
    strayLines: () => strayLines,
    fault: () => fault,
  };
}
