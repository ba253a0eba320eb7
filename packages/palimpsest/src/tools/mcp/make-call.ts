import type { Clock, ToolContext, ToolOutcome } from "@palimpsest/core/spec";
import { systemCode } from "./connect-failure.ts";
import type { Connection } from "./connection.ts";
import { shorten } from "./listed-tool.ts";
import type { McpSdk } from "./load-sdk.ts";
import type { McpNumbers } from "./mcp-numbers.ts";
import { toOutcome } from "./result-content.ts";
import { waitForStall } from "./wait-for-stall.ts";

/** How one attempt at a call ended. After `not-made` the server has done nothing; after the last three it may have. */
export type CallEnd =
  | { readonly kind: "answered"; readonly outcome: ToolOutcome }
  | { readonly kind: "not-made"; readonly why: string }
  | { readonly kind: "refused"; readonly why: string }
  | { readonly kind: "lost"; readonly why: string }
  | { readonly kind: "aborted" }
  | { readonly kind: "stalled" };

export interface CallScene {
  readonly connection: Connection;
  readonly sdk: McpSdk;
  readonly clock: Clock;
  readonly numbers: McpNumbers;
  readonly context: Pick<ToolContext, "signal" | "progress">;
}

/** One attempt. It may take as long as the server shows signs of life. Never rejects. */
export async function makeCall(scene: CallScene, tool: string, input: unknown): Promise<CallEnd> {
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

function failureOf(cause: unknown, { sdk, connection }: CallScene): CallEnd {
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
