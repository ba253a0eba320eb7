import { tokensOfUsage } from "@palimpsest/core/internal";
import { type AgentStatus, type DecisionEntry, PalimpsestError, type Session } from "@palimpsest/core/spec";
import { cacheLines } from "../../terminal/cache-lines.ts";
import { contextPicture } from "../../terminal/context-picture.ts";
import { escapeTerminal } from "../../terminal/escape-terminal.ts";
import { formatCount, formatDollars, formatNumber } from "../../terminal/format-amount.ts";
import { createStyle } from "../../terminal/style.ts";
import { padText } from "../../terminal/text-width.ts";
import { sourceWords } from "../../terminal/token-words.ts";
import { breakText, wrapBehind } from "../../terminal/wrap-text.ts";
import type { BackgroundCommand, ChatState, Cost, Task } from "../state/chat-state.ts";
import { type CommandName, chatCommands } from "../state/commands.ts";
import type { ChoiceItem } from "../state/dialog.ts";
import type { PanelName } from "./chat-environment.ts";
import type { ChatContext } from "./create-chat.ts";
import { switchModel } from "./perform-choice.ts";
import { readPast } from "./read-past.ts";

type Perform = (context: ChatContext, rest: string) => Promise<void> | void;

/** Does what a line with a slash asks for. What fails is thrown, and told. */
export async function performCommand(context: ChatContext, name: CommandName, rest: string): Promise<void> {
  await performers[name](context, rest);
}

const panel = (title: string, linesOf: (context: ChatContext) => readonly string[]): Perform => {
  return (context) =>
    context.dispatch({ type: "show", part: { kind: "panel", title, lines: linesOf(context) } });
};

/** Shows a panel of the rest of the program in here. */
const borrowed = (name: PanelName, title: string): Perform => {
  return (context) =>
    context.work(title, async (signal) => {
      const { size, session } = context.state();
      const step = (text: string) => context.dispatch({ type: "work-step", step: text });
      const lines = await context.doors.panel(name, {
        columns: size.columns,
        model: session?.model ?? "",
        signal,
        step,
      });
      context.dispatch({ type: "show", part: { kind: "panel", title, lines } });
    });
};

const note = ({ dispatch }: ChatContext, text: string) =>
  dispatch({ type: "show", part: { kind: "note", level: "info", text } });

const performers: Readonly<Record<CommandName, Perform>> = {
  help: panel("Keys and commands", (context) => helpLines(context.state().size.columns)),
  cost: panel("Cost", (context) => costLines(context.state().cost)),
  tasks,
  context: panel("Context", contextLines),
  memory: borrowed("memory", "Memory"),
  config: borrowed("config", "Settings"),
  hooks: borrowed("hooks", "Hooks"),
  dream: borrowed("dream", "Dream"),
  quit: () => undefined,
  compact,
  async undo(context, rest) {
    const session = context.session();
    const { tokensBefore, tokensAfter } = await (rest === "" ? undoNewest(session) : session.undo(rest));
    context.measure();
    note(context, `Undone: ${formatCount(tokensBefore)} → ${formatCount(tokensAfter)} tokens.`);
  },
  async snip(context) {
    const { rounds, freedTokens } = await context.session().snip();
    context.measure();
    note(
      context,
      rounds === 0
        ? "Nothing was taken out: every round is new or referred to by a later one."
        : `Took out ${formatNumber(rounds, "round")}, about ${formatCount(freedTokens)} tokens; /undo takes it back, Ctrl+O has them.`,
    );
  },
  async clear(context) {
    const { id } = context.session();
    await context.open({ isCleared: true });
    note(context, `A new session. The one before is kept: /resume ${id}`);
  },
  async resume(context, rest) {
    if (rest !== "") return context.open({ id: await context.doors.findSession(rest) });
    const items = await context.doors.sessions();
    if (items.length === 0) return note(context, "This project has no other session.");
    context.dispatch({ type: "offer", purpose: "resume", title: "Which session?", items });
  },
  async rewind(context) {
    const { prompts } = await readPast(context.session().entries(), context.doors.dollars);
    if (prompts.length === 0) return note(context, "There is nothing to go back to.");
    const items = prompts.map(({ text }, at) => ({ id: String(at), label: text })).reverse();
    context.dispatch({ type: "offer", purpose: "rewind", title: "Back to before which prompt?", items });
  },
  async model(context, rest) {
    if (rest !== "") return switchModel(context, rest);
    const title = "Which model? Others by name: /model NAME";
    const items = await context.doors.models(context.state().session?.model ?? "");
    context.dispatch({ type: "offer", purpose: "model", title, items });
  },
};

/** Shows the current work; the part that the person can end is offered. */
function tasks(context: ChatContext): void {
  context.look();
  const { state, doors } = context;
  const lines = taskLines(state(), doors.logPath);
  context.dispatch({ type: "show", part: { kind: "panel", title: "Background tasks", lines } });
  const items = stoppable(state());
  if (items.length > 0)
    context.dispatch({ type: "offer", purpose: "stop", title: "Stop one of them?", items });
}

function contextLines(context: ChatContext): readonly string[] {
  const { accounting, count, thresholds, percentLeft, cache } = context.session().usage();
  const { columns } = context.state().size;
  const style = createStyle(context.isColoured);
  return [
    `${formatCount(count.tokens)} of ${formatCount(thresholds.window)} tokens, ${sourceWords[count.source]}; ${percentLeft} % left before compaction`,
    "",
    ...contextPicture(accounting, { columns, style: style.red("x") === "x" ? "plain" : "colour" }),
    ...(cache ? ["", ...cacheLines(cache, columns)] : []),
  ];
}

/** The result is told by the session's events; where it never began, by its error. */
async function compact(context: ChatContext, rest: string): Promise<void> {
  const before = context.state().parts.length;
  await context.work("Compacting", async (signal) => {
    try {
      await context.session().compact(rest === "" ? {} : { instructions: rest }, { signal });
    } catch (cause) {
      const isTold = context.state().parts.length > before;
      if (!PalimpsestError.isInstance(cause) || !isTold) throw cause;
    }
  });
  context.measure();
}

/** Decisions that take out what a person may want back. */
const undoable: ReadonlySet<string> = new Set(["compact", "fold", "snip"]);

/**
 * Takes back the newest compaction, folding or snip that is in force: asked again and again, all of them, newest first.
 * Old results that were cleared come back only by their ids.
 */
async function undoNewest(session: Session): ReturnType<Session["undo"]> {
  for (const { id } of await decisionsOf(session)) {
    try {
      return await session.undo(id);
    } catch (cause) {
      if (!PalimpsestError.isInstance(cause) || cause.code !== "conflict") throw cause;
    }
  }
  return session.undo();
}

/** Newest first, without those that a restore names. */
async function decisionsOf(session: Session): Promise<readonly DecisionEntry[]> {
  const found: DecisionEntry[] = [];
  const restored = new Set<string>();
  for await (const entry of session.entries()) {
    if (entry.kind !== "decision") continue;
    if (undoable.has(entry.decision.type)) found.unshift(entry);
    if (entry.decision.type === "restore") restored.add(entry.decision.decision);
  }
  return found.filter(({ id }) => !restored.has(id));
}

const keys: readonly (readonly [key: string, does: string])[] = [
  ["Enter", "send; while the model works: queued, and sent after the current step"],
  ["Alt+Enter, \\ Enter", "a new line"],
  ["↑ ↓", "lines, then earlier prompts of this project"],
  ["Tab", "take the command or file that is offered"],
  ["@", "name a file of this folder"],
  ["Ctrl+C, Esc", "interrupt; Ctrl+C twice quits"],
  ["Ctrl+D", "quit, where nothing is written"],
  ["Ctrl+O", "the transcript, with cleared, folded and compacted parts"],
  ["Ctrl+T", "tool cards with more lines, or fewer, from here on"],
  ["Ctrl+A/E/U/K/W", "to the line's start and end; delete to them, and a word"],
];

const keyColumns = 20;

function helpLines(columns: number): readonly string[] {
  const row = (name: string, does: string) => wrapBehind(`  ${padText(name, keyColumns)} `, does, columns);
  return [
    ...keys.flatMap(([name, does]) => row(name, does)),
    "",
    ...chatCommands.flatMap(({ name, form, summary }) =>
      row(form === undefined ? `/${name}` : `/${name} ${form}`, summary),
    ),
  ];
}

function costLines({ dollars, requests, usage, cacheShare, keepWarm }: Cost): readonly string[] {
  const prompt = usage.input + usage.cacheRead + usage.cacheCreation;
  const row = (name: string, value: string) => `  ${padText(name, keyColumns)} ${value}`;
  const share = (part: number, whole: number) =>
    whole === 0 ? "" : ` (${Math.floor((part / whole) * 100)}%)`;
  return [
    row("dollars", formatDollars(dollars)),
    ...(keepWarm === undefined ? [] : [row("  keep-warm", formatDollars(keepWarm))]),
    row("requests", formatCount(requests)),
    row("tokens in", formatCount(prompt)),
    row("  from the cache", `${formatCount(usage.cacheRead)}${share(usage.cacheRead, prompt)}`),
    row("  written to it", formatCount(usage.cacheCreation)),
    row("  neither", formatCount(usage.input)),
    row("tokens out", formatCount(usage.output)),
    ...(cacheShare === undefined
      ? []
      : [row("newest prompt", `${Math.floor(cacheShare * 100)}% from the cache`)]),
  ];
}

const marks = { running: "…", done: "✓", failed: "!", stopped: "×" } as const;
const indent = "      ";

type ShownState = Pick<ChatState, "tasks" | "background" | "size">;

/** Agents with what they do, what they took and where their logs are; commands; work of layers, dreams among it. */
function taskLines(
  { tasks, background, size }: ShownState,
  logPath: (session: string) => string,
): readonly string[] {
  const { columns } = size;
  const { agents, commands } = background;
  const lines = [
    ...agents.flatMap((agent) => agentLines(agent, logPath, columns)),
    ...commands.flatMap((command) => commandLines(command, columns)),
    ...tasks.flatMap((task) => layerLines(task, columns)),
  ];
  return lines.length > 0 ? lines : ["  No background work now, and none since the session was opened here."];
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
    formatDollars(dollars),
  ].join(", ");
  const path = (text: string) => breakText(escapeTerminal(text), columns - indent.length);
  return [
    ...wrapBehind(`  ${marks[state]} `, escapeTerminal(`${name} (${kind}): ${description}`), columns),
    ...wrapBehind(indent, escapeTerminal(now), columns),
    `${indent}${took}`,
    ...(session === undefined ? [] : path(logPath(session)).map((part) => indent + part)),
    ...(worktree === undefined ? [] : path(`its changes: ${worktree}`).map((part) => indent + part)),
  ];
}

function commandLines({ title, isRunning, outcome = "" }: BackgroundCommand, columns: number) {
  const now = isRunning ? "running" : outcome;
  return wrapBehind(`  ${isRunning ? "…" : "✓"} `, escapeTerminal(`command ${title}: ${now}`), columns);
}

function layerLines({ state, name, detail }: Task, columns: number): readonly string[] {
  return wrapBehind(`  ${marks[state]} `, escapeTerminal(`${name}: ${detail} (${state})`), columns);
}

/** The work that a person can end. */
function stoppable({
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
