import { readFile } from "node:fs/promises";
import { createGateway, type GatewayEvent } from "../../gateway/index.ts";
import { aborted } from "../aborted.ts";
import { interruption } from "../ask.ts";
import { toJsonLine } from "../harmless.ts";
import { openSessionPlaces } from "../sessions/session-places.ts";
import type { CommandContext } from "../terminal.ts";
import { UsageError } from "../usage-error.ts";
import { type AgentName, agentSettings } from "./agent-settings.ts";
import { eventLines, headLines } from "./gateway-lines.ts";
import { runAgent } from "./run-agent.ts";

export interface GatewayCommandOptions {
  readonly port: number;
  readonly upstream?: string;
  readonly openaiUpstream?: string;
  readonly observe?: boolean;
  readonly compact: "scribe" | "model";
  readonly for?: AgentName;
  readonly tokenFile?: string;
  readonly json?: boolean;
}

/** Runs the gateway until it is interrupted, or until the agent has ended that was to be run with it. */
export async function runGateway(
  context: CommandContext,
  args: readonly string[],
  options: GatewayCommandOptions,
): Promise<void> {
  const { terminal, home, folder } = context;
  const { port, upstream, openaiUpstream, observe = false, compact, json } = options;
  if (args.length > 0 && !options.for) {
    throw new UsageError(
      "say which agent it is; use: palimpsest gateway --for claude|opencode|pi -- command...",
    );
  }
  const token = options.tokenFile === undefined ? undefined : await readToken(options.tokenFile);
  let written: Promise<void> = Promise.resolve();
  const isShown = args.length === 0;
  const onEvent = (event: GatewayEvent) => {
    if (!isShown) return;
    const text = json ? toJsonLine(event) : `${eventLines(event, terminal).join("\n")}\n`;
    written = written.then(() => terminal.write(text));
  };
  const gateway = await createGateway({
    port,
    home,
    stores: await openSessionPlaces(context),
    cwd: folder,
    isObserving: observe,
    compactBy: compact,
    onEvent,
    ...(upstream !== undefined && { upstream }),
    ...(openaiUpstream !== undefined && { openaiUpstream }),
    ...(token !== undefined && { token }),
  });
  try {
    const settings = options.for && agentSettings(options.for, gateway.url, token);
    if (settings && !isShown) return await runAgent(args, settings, { home, terminal });
    const agent = options.for && settings && { name: options.for, settings };
    const { url, port: taken } = gateway;
    const document = { type: "listening", url, port: taken, ...(settings && { settings }) };
    const head = json ? toJsonLine(document) : `${headLines(gateway, terminal, agent)}\n`;
    written = written.then(() => terminal.write(head));
    await aborted(terminal.signal);
  } finally {
    await gateway.close();
    await written;
  }
  throw interruption();
}

async function readToken(path: string): Promise<string> {
  const text = (await readFile(path, "utf8").catch(() => "")).trim();
  if (/^[\x21-\x7e]{16,256}$/.test(text)) return text;
  throw new UsageError(
    `${path} has no token of 16 to 256 letters; use: palimpsest gateway --token-file FILE`,
  );
}
