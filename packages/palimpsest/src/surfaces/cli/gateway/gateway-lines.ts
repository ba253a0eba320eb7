import type { Gateway, GatewayEvent } from "../../gateway/index.ts";
import { cutText } from "../fit-text.ts";
import { createFixedColumns, toCountCell } from "../fixed-columns.ts";
import { toHarmless } from "../harmless.ts";
import { toShellWord } from "../shell-word.ts";
import type { Terminal } from "../terminal.ts";
import type { AgentName, AgentSettings } from "./agent-settings.ts";

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

export function headLines(
  { url }: Gateway,
  terminal: Terminal,
  agent?: { readonly name: AgentName; readonly settings: AgentSettings },
): string {
  const { bold, dim } = terminal.style;
  return [
    `${bold("Gateway")} at ${url}`,
    "",
    ...(agent ? agentLines(agent.name, agent.settings) : plainLines(url)),
    "",
    dim("Sessions are recorded. Keys are passed on and kept nowhere. Ctrl+C ends it."),
    "",
    dim(columns.header),
  ].join("\n");
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
    const what = toHarmless(`${event.method} ${event.path}`.trim());
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
  const { session, model, path, match, sent, status, outcome, reason } = event;
  const line = columns.toLine([
    (session ?? "").slice(-8),
    toHarmless(model ?? path),
    match ?? "",
    sent,
    toCountCell(event.promptTokens),
    toCountCell(event.cacheReadTokens),
    toCountCell(event.outputTokens),
    outcome === "whole" ? String(status ?? "") : "cut",
  ]);
  return reason === undefined ? [line] : [line, style.dim(cutText(`         ${toHarmless(reason)}`, width))];
}
