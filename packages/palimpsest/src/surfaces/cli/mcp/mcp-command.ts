import { untilAborted } from "../../../signals.ts";
import { orThrow } from "../../local/or-throw.ts";
import type { CommandContext } from "../../local/terminal.ts";
import { clientConfig } from "../../mcp/client-configs.ts";
import { loadServerSdk } from "../../mcp/published-tool.ts";
import { serveHttp } from "../../mcp/serve-http.ts";
import { serveStdio } from "../../mcp/serve-stdio.ts";
import { escapeTerminal, toJsonLine } from "../../terminal/escape-terminal.ts";
import { interruption } from "../ask.ts";
import { openSources } from "./open-sources.ts";

export interface McpCommandOptions {
  readonly http?: boolean;
  readonly port: number;
  readonly project?: string;
  readonly printConfig?: string;
  readonly json?: boolean;
}

/** Serves until the client goes or the person interrupts. */
export async function runMcp(context: CommandContext, options: McpCommandOptions): Promise<void> {
  const { terminal, folder } = context;
  if (options.printConfig !== undefined) {
    const config = clientConfig(options.printConfig, folder);
    terminal.say(terminal.style.dim(`Put this into ${config?.file}:`));
    return terminal.write(`${config?.text}\n`);
  }
  const sdk = orThrow(await loadServerSdk());
  const sources = await openSources(context, options.project);
  try {
    if (!options.http) return await serveStdio(sdk, sources, terminal.signal);
    const server = orThrow(
      await serveHttp(sdk, sources, {
        port: options.port,
        onRefusal: (reason) => terminal.say(`refused: ${escapeTerminal(reason)}`),
      }),
    );
    const { url, token } = server;
    const lines = [
      `${terminal.style.bold("MCP")} at ${url}`,
      `  Authorization: Bearer ${token}`,
      "",
      "Ctrl+C ends it.",
    ];
    await terminal.write(options.json ? toJsonLine({ url, token }) : `${lines.join("\n")}\n`);
    await untilAborted(terminal.signal);
    await server.close();
  } finally {
    await sources.memory.close();
  }
  throw interruption();
}
