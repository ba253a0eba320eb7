import { spawn } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fail, PalimpsestError } from "@palimpsest/core/spec";
import { untilAborted } from "../../../signals.ts";
import { tokenHeader } from "../../gateway/guard/check-head.ts";
import { createGateway, type Gateway, type GatewayEvent } from "../../gateway/index.ts";
import { Exit, type ExitCode, UsageError } from "../../local/or-throw.ts";
import { openSessionLocations } from "../../local/sessions/session-locations.ts";
import type { CommandContext, Terminal } from "../../local/terminal.ts";
import { escapeTerminal, toJsonLine } from "../../terminal/escape-terminal.ts";
import { formatDollars } from "../../terminal/format-amount.ts";
import { createFixedColumns, toCountCell } from "../../terminal/table.ts";
import { cutText } from "../../terminal/text-width.ts";
import { interruption } from "../ask.ts";
import { toShellWord } from "../command-line.ts";
import { assignedSettings } from "../config/assigned-settings.ts";

export interface GatewayCommandOptions {
  readonly port: number;
  readonly upstream?: string;
  readonly openaiUpstream?: string;
  readonly observe?: boolean;
  readonly compact: "scribe" | "model";
  readonly for?: AgentName;
  readonly tokenFile?: string;
  readonly set?: readonly string[];
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
  const assigned = assignedSettings(options);
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
    stores: await openSessionLocations(context),
    cwd: folder,
    isObserving: observe,
    compactBy: compact,
    ...(assigned && { settings: assigned }),
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
    await untilAborted(terminal.signal);
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

/** Runs an agent in this terminal, and ends as it ends. */
async function runAgent(
  [command = "", ...args]: readonly string[],
  settings: AgentSettings,
  location: { readonly home: string; readonly terminal: Pick<Terminal, "signal"> },
): Promise<void> {
  const env = { ...process.env, ...settings.environment, ...(await folderFor(settings, location.home)) };
  const code = await new Promise<number>((resolve, reject) => {
    const child = spawn(command, args, { stdio: "inherit", env });
    const onAbort = () => child.kill("SIGINT");
    location.terminal.signal.addEventListener("abort", onAbort, { once: true });
    child.once("error", (cause) => {
      const fix = "Install it, or say where it is.";
      reject(fail("not-found", `“${command}” cannot be run.`, { path: command, fix, cause }).error);
    });
    child.once("close", (ended) => resolve(ended ?? 1));
  });
  if (code !== 0) throw new Exit(code as ExitCode);
}

/** An agent that reads only a file gets a folder of its own with that file in it; its keys come from the environment. */
async function folderFor({ environment, file }: AgentSettings, home: string) {
  if (!file || Object.keys(environment).length > 0) return {};
  const folder = join(home, "gateway", "pi");
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await writeFile(join(folder, "models.json"), JSON.stringify(file.content, null, 2), { mode: 0o600 });
  return { PI_CODING_AGENT_DIR: folder };
}

/** 80 wide together. */
const columns = createFixedColumns([
  { header: "SESSION", width: 8, align: "left" },
  { header: "MODEL", width: 18, align: "left" },
  { header: "MATCH", width: 8, align: "left" },
  { header: "SENT", width: 9, align: "left" },
  { header: "PROMPT", width: 9, align: "right" },
  { header: "READ", width: 9, align: "right" },
  { header: "OUTPUT", width: 7, align: "right" },
  { header: "END", width: 5, align: "right" },
]);

function headLines(
  { url, status }: Gateway,
  terminal: Terminal,
  agent?: { readonly name: AgentName; readonly settings: AgentSettings },
): string {
  const { bold, dim } = terminal.style;
  return [
    `${bold("Gateway")} at ${url}`,
    "",
    ...(agent ? agentLines(agent.name, agent.settings) : plainLines(url)),
    "",
    dim(`Sessions are recorded. ${keysLine(status().isKeepingWarm)} Ctrl+C ends it.`),
    "",
    dim(columns.header),
  ].join("\n");
}

function keysLine(isKeepingWarm: boolean): string {
  return isKeepingWarm
    ? "Keys are passed on, and kept in memory only, for keep-warm reads."
    : "Keys are passed on and kept nowhere.";
}

function plainLines(url: string): readonly string[] {
  return [`  export ANTHROPIC_BASE_URL=${url}`, `  export OPENAI_BASE_URL=${url}/v1`];
}

function agentLines(name: AgentName, { environment, file }: AgentSettings): readonly string[] {
  if (!file)
    return Object.entries(environment).map(
      ([variable, value]) => `  export ${variable}=${toShellWord(value)}`,
    );
  const content = JSON.stringify(file.content, null, 2).split("\n");
  return [`${name} reads this in ${file.path}:`, "", ...content.map((line) => `  ${line}`)];
}

/** One line for what happened, and a second one with the reason where there is one. */
export function eventLines(event: GatewayEvent, terminal: Terminal): readonly string[] {
  const { style, columns: width } = terminal;
  if (event.type === "request-refuse") {
    const what = escapeTerminal(`${event.method} ${event.path}`.trim());
    return [style.red(cutText(`refused: ${event.code} ${what}`, width))];
  }
  if (event.type === "gateway-failure") {
    const line = `failed: ${event.step}: ${event.code}; the request went through as it was`;
    return [style.yellow(cutText(line, width))];
  }
  if (event.type === "prompt-offload") {
    const { session, block, bytes } = event;
    const what = `stored: ${block} of ${toCountCell(bytes)} bytes: the newest prompt alone exceeds the window`;
    return [style.yellow(cutText(`${session.slice(-8)} ${what}`, width))];
  }
  if (event.type === "keep-warm") {
    const { session, isHit, dollars, promptTokens } = event;
    const found = isHit ? "" : ": not found in the cache, no more are made in this pause";
    const line = `keep-warm: read ${toCountCell(promptTokens)} tokens, ${formatDollars(dollars)}${found}`;
    return [style.dim(cutText(`${session.slice(-8)} ${line}`, width))];
  }
  if (event.type === "warming-end") {
    const { session, reason } = event;
    return [style.dim(cutText(`${session.slice(-8)} keep-warm ends: ${escapeTerminal(reason)}`, width))];
  }
  const { session, model, path, match, sent, status, outcome, reason } = event;
  const line = columns.toLine([
    (session ?? "").slice(-8),
    escapeTerminal(model ?? path),
    match ?? "",
    sent,
    toCountCell(event.promptTokens),
    toCountCell(event.cacheReadTokens),
    toCountCell(event.outputTokens),
    outcome === "whole" ? String(status ?? "") : "cut",
  ]);
  return reason === undefined
    ? [line]
    : [line, style.dim(cutText(`         ${escapeTerminal(reason)}`, width))];
}

type AgentName = "claude" | "opencode" | "pi";

/** Settings that make an agent use the gateway. */
interface AgentSettings {
  /** Variables to run it with. */
  readonly environment: Readonly<Record<string, string>>;
  /** A file that it reads, and what has to stand in it. */
  readonly file?: { readonly path: string; readonly content: object };
}

/** A variable of Claude Code's own; nothing here reads it. */
const claudeHeaders = ["ANTHROPIC", "CUSTOM_HEADERS"].join("_");

/** Where an agent would not take a value as it is written, but run it or put something else in its place. */
const notLiteral: Readonly<Partial<Record<AgentName, RegExp>>> = { opencode: /\{(?:env|file):/, pi: /^!/ };

/**
 * The settings that an agent needs for Anthropic's models; its keys stay where it has them. OpenAI's models are asked by
 * opencode and pi with the Responses API, which the gateway would only pass through. Throws `invalid-input` for a token
 * that the agent would not send as it is.
 */
export function agentSettings(agent: AgentName, url: string, token?: string): AgentSettings {
  if (token !== undefined && notLiteral[agent]?.test(token)) throw unsupportedAgent(agent);
  const headers = token === undefined ? {} : { headers: { [tokenHeader]: token } };
  if (agent === "claude") {
    const custom = token !== undefined && { [claudeHeaders]: `${tokenHeader}: ${token}` };
    return { environment: { ANTHROPIC_BASE_URL: url, ...custom } };
  }
  if (agent === "opencode") {
    const content = { provider: { anthropic: { options: { baseURL: `${url}/v1`, ...headers } } } };
    return {
      environment: { OPENCODE_CONFIG_CONTENT: JSON.stringify(content) },
      file: { path: "opencode.json", content },
    };
  }
  const content = { providers: { anthropic: { baseUrl: url, ...headers } } };
  return { environment: {}, file: { path: "~/.pi/agent/models.json", content } };
}

function unsupportedAgent(agent: AgentName): PalimpsestError {
  return new PalimpsestError("invalid-input", `${agent} would not send this token as it is.`, {
    fix: "Use a token of letters and digits.",
  });
}
