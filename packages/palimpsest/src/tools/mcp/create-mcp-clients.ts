import type { Environment } from "@palimpsest/core/internal";
import {
  type Clock,
  fail,
  type McpSettings,
  type Notice,
  type NoticeSource,
  ok,
  type Result,
  type Tool,
  type ToolDefinition,
} from "@palimpsest/core/spec";
import type { Fetch } from "./http-channel.ts";
import { loadSdk, type McpSdk } from "./load-sdk.ts";
import { type McpNumbers, mcpNumbers } from "./mcp-numbers.ts";
import { createMcpServer } from "./mcp-server.ts";
import type { McpServerStatus, McpWarning } from "./server-status.ts";
import { serverTarget } from "./server-target.ts";
import { createToolNotices } from "./tool-notices.ts";
import { createToolShelf } from "./tool-shelf.ts";
import { withinTime } from "./within-time.ts";

export interface McpClientsOptions {
  /** Only what a person trusts: each command is started, each address is asked. */
  readonly servers: McpSettings;
  /** Where `${NAME}` is looked up, and the usual few variables of programs. */
  readonly environment: Environment;
  /** Where programs run unless their settings say otherwise. */
  readonly cwd: string;
  readonly clock: Clock;
  readonly fetch?: Fetch;
  /** Of this program, as it introduces itself. */
  readonly version?: string;
  readonly onWarning?: (warning: McpWarning) => void;
  readonly numbers?: Partial<McpNumbers>;
  /** Gives the SDK; absent: the installed one. */
  readonly load?: () => Promise<Result<object>>;
}

/** The tools of MCP servers for one session. */
export interface McpClients {
  /**
   * Reaches for all servers at once, and waits for them no longer than `startWaitMs`: what comes later comes as late
   * tools. Fails only where there are servers and no SDK. Safe to call twice.
   */
  start(): Promise<Result<void>>;
  /** Those that were there when `start` resolved: frozen, in the order of servers and then names. */
  tools(): readonly Tool[];
  /**
   * What a session that goes on sends, as it did before: what is new counts as late, and what no server has any more
   * says so when it is called.
   */
  hold(sent: readonly ToolDefinition[]): void;
  /** Those that came later and are still there: called through another tool, by `find`. */
  lateTools(): readonly Tool[];
  /** Any tool that is or was, as its server describes it now; one that is gone says so when it is called. */
  find(name: string): Tool | undefined;
  /** What servers say of themselves, and which tools came, changed and went: each once. */
  readonly notices: NoticeSource;
  /** All of that as it stands, for when a compaction has taken it out of the model's sight. */
  currentNotices(): readonly Notice[];
  status(): readonly McpServerStatus[];
  /** Tries a server that has failed once more; what it has comes as late tools. */
  reconnect(server: string): Promise<Result<void>>;
  /** Ends every connection and every program, also those that are still starting. */
  close(): Promise<void>;
}

export function createMcpClients(options: McpClientsOptions): McpClients {
  const { clock, onWarning = () => {}, load = loadSdk } = options;
  const numbers = { ...mcpNumbers, ...options.numbers };
  const closing = new AbortController();
  const servers = Object.entries(options.servers).map(([name, settings]) =>
    createMcpServer({
      name,
      transport: settings.url === undefined ? "stdio" : "http",
      target: serverTarget(settings, options),
      onTools: () => shelf.update(),
      onWarning,
    }),
  );
  const shelf = createToolShelf(servers);
  const notices = createToolNotices(servers, shelf, numbers.maxInstructionsChars);
  let started: Promise<Result<void>> | undefined;

  async function begin(): Promise<Result<void>> {
    if (servers.length === 0) return ok();
    const sdk = await load();
    if (!sdk.ok) {
      for (const server of servers) server.giveUp(sdk.error);
      return sdk;
    }
    const { fetch = globalThis.fetch, version = "unknown" } = options;
    const connection = { sdk: sdk.value as McpSdk, clock, numbers, fetch, version };
    const all = Promise.all(closing.signal.aborted ? [] : servers.map((server) => server.start(connection)));
    await withinTime(all, numbers.startWaitMs, clock);
    return ok();
  }

  return {
    start() {
      started ??= begin().then((result) => {
        shelf.freeze();
        return result;
      });
      return started;
    },
    tools: () => shelf.frozen(),
    hold: (sent) => shelf.hold(sent),
    lateTools: () =>
      shelf
        .all()
        .filter(({ isThere, frozen }) => isThere && frozen === undefined)
        .map(({ tool }) => tool),
    find: (name) => shelf.find(name)?.tool,
    notices,
    currentNotices: () => notices.current(),
    status: () => servers.map((server) => server.status()),
    async reconnect(name) {
      const server = servers.find((one) => one.name === name);
      return server
        ? server.reconnect()
        : unknownServer(
            name,
            servers.map((one) => one.name),
          );
    },
    async close() {
      closing.abort();
      await Promise.all(servers.map((server) => server.close()));
    },
  };
}

function unknownServer(name: string, known: readonly string[]): Result<never> {
  const fix = `There are: ${known.join(", ") || "none"}.`;
  return fail("not-found", `There is no MCP server “${name}”.`, { fix });
}
