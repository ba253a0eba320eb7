import {
  fail,
  ok,
  type PalimpsestError,
  type Result,
  type ToolContext,
  type ToolOutcome,
} from "@palimpsest/core/spec";
import { notMadeOutcome } from "./call-outcomes.ts";
import { callServer } from "./call-server.ts";
import type { ConnectionOptions } from "./connection.ts";
import type { ListedTool } from "./listed-tool.ts";
import { createServerLink, type ServerLink } from "./server-link.ts";
import type { McpServerStatus, McpWarning } from "./server-status.ts";
import type { ServerTarget } from "./server-target.ts";

export interface McpServer {
  readonly name: string;
  /** Reaches for it the first time; resolves once it is there or has failed. Never rejects. */
  start(options: ConnectionOptions): Promise<void>;
  /** It cannot even be tried. */
  giveUp(error: PalimpsestError): void;
  /** The tools it had when it was heard of last. */
  tools(): readonly ListedTool[];
  instructions(): string | undefined;
  /** What the tool answers. Reaches for the server first where it was lost. Never rejects. */
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
      link.forgive();
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
