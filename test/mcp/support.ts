import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import type {
  McpCommandSettings,
  Tool,
  ToolContext,
  ToolOutcome,
} from "../../packages/core/src/spec/index.ts";
import {
  createMcpClients,
  type McpClients,
  type McpClientsOptions,
  type McpWarning,
} from "../../packages/palimpsest/src/tools/mcp/index.ts";
import { createVirtualClock } from "../../packages/testing/src/index.ts";
import { isRunning } from "../support/processes.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const script = fileURLToPath(new URL("./children/stdio-server.mjs", import.meta.url));

/** Programs that were started in one folder, by the ids they left there. */
export interface Programs {
  /** The settings of a server that is a program, in one of its modes. */
  settings(mode?: string, more?: Partial<McpCommandSettings>): McpCommandSettings;
  ids(): readonly number[];
  running(): readonly number[];
}

export async function usePrograms(): Promise<Programs> {
  const file = join(await temporaryFolder(), "pids");
  const ids = () => (existsSync(file) ? readFileSync(file, "utf8").trim().split("\n").map(Number) : []);
  return {
    settings: (mode = "serve", more = {}) => ({
      command: process.execPath,
      args: [script, mode, file],
      ...more,
    }),
    ids,
    running: () => ids().filter(isRunning),
  };
}

/** Clients that are closed when the test is over. The clock stands still unless the test moves it. */
export function useClients(servers: McpClientsOptions["servers"], more: Partial<McpClientsOptions> = {}) {
  const warnings: McpWarning[] = [];
  const clock = createVirtualClock();
  const clients = createMcpClients({
    servers,
    environment: { PATH: process.env.PATH },
    cwd: process.cwd(),
    clock,
    onWarning: (warning) => warnings.push(warning),
    ...more,
  });
  onTestFinished(() => clients.close());
  return { clients, clock, warnings };
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: (text: string) => void;
}

export function contextOf({ signal, onProgress = () => {} }: CallOptions = {}): ToolContext {
  const context = { toolUseId: "t1", signal: signal ?? new AbortController().signal, progress: onProgress };
  return context as unknown as ToolContext;
}

/** What a tool answers; by the name the model knows it under. */
export async function call(
  clients: McpClients,
  name: string,
  input: unknown = {},
  options: CallOptions = {},
): Promise<ToolOutcome> {
  const tool = clients.find(name);
  if (tool?.run === undefined) throw new Error(`There is no tool ${name}.`);
  return tool.run(input, contextOf(options));
}

export const namesOf = (tools: readonly Tool[]) => tools.map(({ name }) => name);

export const takeNotices = (clients: McpClients) =>
  clients.notices.take({ kind: "turn-start", touched: [], signal: new AbortController().signal });

/** Lets the process work until something is so. */
export async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setImmediate(resolve));
}
