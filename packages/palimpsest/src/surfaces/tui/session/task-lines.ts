import { tokensOfUsage } from "@palimpsest/core/internal";
import type { AgentStatus } from "@palimpsest/core/spec";
import { breakText, wrapBehind } from "../../cli/config/wrap-text.ts";
import { formatCount, formatNumber } from "../../cli/format-amount.ts";
import { toHarmless } from "../../cli/harmless.ts";
import type { BackgroundCommand, ChatState, Task } from "../state/chat-state.ts";
import type { ChoiceItem } from "../state/dialog.ts";

const marks = { running: "…", done: "✓", failed: "!", stopped: "×" } as const;
const indent = "      ";

type Shown = Pick<ChatState, "tasks" | "background" | "size">;

/** Agents with what they do, what they took and where their logs are; commands; work of layers, dreams among it. */
export function taskLines(
  { tasks, background, size }: Shown,
  logPath: (session: string) => string,
): readonly string[] {
  const { columns } = size;
  const { agents, commands } = background;
  const lines = [
    ...agents.flatMap((agent) => agentLines(agent, logPath, columns)),
    ...commands.flatMap((command) => commandLines(command, columns)),
    ...tasks.flatMap((task) => layerLines(task, columns)),
  ];
  return lines.length > 0 ? lines : ["  Nothing goes on, and nothing did since the session was opened here."];
}

function agentLines(
  agent: AgentStatus,
  logPath: (session: string) => string,
  columns: number,
): readonly string[] {
  const { name, agent: kind, description, state, spend, progress, reason, session, worktree } = agent;
  const { requests, toolCalls, usage, dollars } = spend;
  const now = state === "running" ? (progress ?? "at work") : [state, reason].filter(Boolean).join(": ");
  const took = [
    formatNumber(requests, "request"),
    formatNumber(toolCalls, "tool call"),
    `${formatCount(tokensOfUsage(usage))} tokens`,
    `$${dollars.toFixed(4)}`,
  ].join(", ");
  const path = (text: string) => breakText(toHarmless(text), columns - indent.length);
  return [
    ...wrapBehind(`  ${marks[state]} `, toHarmless(`${name} (${kind}): ${description}`), columns),
    ...wrapBehind(indent, toHarmless(now), columns),
    `${indent}${took}`,
    ...(session === undefined ? [] : path(logPath(session)).map((part) => indent + part)),
    ...(worktree === undefined ? [] : path(`its changes: ${worktree}`).map((part) => indent + part)),
  ];
}

function commandLines({ title, isRunning, outcome = "" }: BackgroundCommand, columns: number) {
  const now = isRunning ? "running" : outcome;
  return wrapBehind(`  ${isRunning ? "…" : "✓"} `, toHarmless(`command ${title}: ${now}`), columns);
}

function layerLines({ state, name, detail }: Task, columns: number): readonly string[] {
  return wrapBehind(`  ${marks[state]} `, toHarmless(`${name}: ${detail} (${state})`), columns);
}

/** What the person can end. */
export function stoppable({
  tasks,
  background: { agents, commands },
}: Pick<ChatState, "tasks" | "background">): readonly ChoiceItem[] {
  return [
    ...agents
      .filter(({ state }) => state === "running")
      .map(({ id, name, description }) => ({ id, label: `agent ${name}`, detail: description })),
    ...commands
      .filter(({ isRunning }) => isRunning)
      .map(({ id, title }) => ({ id, label: "command", detail: title })),
    ...tasks
      .filter(({ state, layer }) => state === "running" && layer !== undefined)
      .map(({ id, name, detail }) => ({ id, label: `layer ${name}`, detail })),
  ];
}
