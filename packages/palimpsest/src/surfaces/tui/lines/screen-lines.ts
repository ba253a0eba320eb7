import { escapeTerminal } from "../../terminal/escape-terminal.ts";
import { formatDollars, formatNumber } from "../../terminal/format-amount.ts";
import { filledBar } from "../../terminal/meter.ts";
import { cutText, padText, textWidth } from "../../terminal/text-width.ts";
import { toolLine } from "../../terminal/tool-line.ts";
import { wrapBehind } from "../../terminal/wrap-text.ts";
import type { ChatState, Fullness, LiveRun, LiveWork } from "../state/chat-state.ts";
import { completionOf, maxCandidates } from "../state/commands.ts";
import { dialogLines } from "./dialog-lines.ts";
import { type CursorLines, editorLines, pagerLines } from "./editor-lines.ts";
import type { Look } from "./look.ts";
import { markdownLines } from "./markdown-lines.ts";

/** Lines and where the cursor is; `null`: nowhere. */
export interface Screen {
  readonly lines: readonly string[];
  readonly cursor: { readonly x: number; readonly y: number } | null;
}

/** The lines below everything that has happened: always lower than the terminal is high. */
export function screenLines(state: ChatState, look: Look): Screen {
  const rows = Math.max(6, state.size.rows - 1);
  if (state.isQuitting) return { lines: [look.style.dim("… closing the session")], cursor: null };
  if (state.pager) return { lines: pagerLines(state.pager, look, state.size).slice(0, rows), cursor: null };
  const rule = look.isPlain ? [] : [look.style.dim("─".repeat(look.columns))];
  const asked = inputLines(state, look, rows);
  const completion = state.dialogs.length > 0 ? [] : completionLines(state, look);
  const footer = [footerLine(state, look)];
  const foot = look.isPlain && !state.isQuitArmed ? [] : footer;
  const below = [...rule, ...asked.lines, ...completion, ...foot];
  const live = liveLines(state, look, Math.max(0, rows - below.length - 1));
  const above = [...live, ...(look.isPlain ? [] : [""]), ...rule];
  const all = [...live, ...(look.isPlain ? [] : [""]), ...below];
  const dropped = Math.max(0, all.length - rows);
  const y = above.length + asked.cursor.y - dropped;
  return {
    lines: all.slice(dropped),
    cursor: asked.cursor.x < 0 || y < 0 ? null : { x: asked.cursor.x, y },
  };
}

function inputLines(state: ChatState, look: Look, rows: number): CursorLines {
  const [dialog] = state.dialogs;
  if (dialog) return dialogLines(dialog, look, rows);
  const hint = look.isPlain ? "" : hintOf(state);
  const frame = { mark: "> ", maxRows: Math.max(3, Math.floor(rows / 3)), hint };
  return editorLines(state.editor, frame, look);
}

function hintOf({ session, run }: ChatState): string {
  if (!session) return "opening the session …";
  if (run) return "message is queued: sent after this step";
  return "Ask or tell…  / commands  @ files  Ctrl+O transcript";
}

/** How the word at the cursor may go on, one way a line. */
function completionLines(state: ChatState, { columns, style }: Look): readonly string[] {
  const completion = completionOf(state);
  if (!completion) return [];
  const { candidates } = completion;
  const at = Math.min(state.completionAt, candidates.length - 1);
  const from = Math.max(0, Math.min(at - maxCandidates + 1, candidates.length - maxCandidates));
  const shown = candidates.slice(from, from + maxCandidates);
  const width = Math.max(...shown.map(({ text }) => textWidth(escapeTerminal(text)))) + 2;
  return shown.map(({ text, detail }, index) => {
    const isChosen = from + index === at;
    const line = `${isChosen ? "❯" : " "} ${padText(escapeTerminal(text), width)}${detail}`;
    return isChosen ? style.cyan(cutText(line, columns)) : style.dim(cutText(line, columns));
  });
}

const meterCells = 10;

interface FooterPart {
  readonly text: string;
  readonly paint: (text: string) => string;
}

/** Model, how full the window is, cache, dollars, tasks: as many of them as fit. */
export function footerLine(state: ChatState, look: Look): string {
  const { columns, style } = look;
  if (state.isQuitArmed)
    return style.yellow(cutText("Ctrl+C once more quits; the session is kept.", columns));
  const separator = " · ";
  let line = "";
  let width = 0;
  for (const { text, paint } of footerParts(state, look)) {
    const shown = width === 0 ? cutText(text, columns) : text;
    const wide = textWidth(shown) + (width === 0 ? 0 : separator.length);
    if (width + wide > columns) break;
    line += (width === 0 ? "" : style.dim(separator)) + paint(shown);
    width += wide;
  }
  return line;
}

function footerParts(state: ChatState, look: Look): readonly FooterPart[] {
  const { session, fullness, cost, tasks, background } = state;
  const { style } = look;
  const agents = background.agents.filter((agent) => agent.state === "running").length;
  const commands = background.commands.filter(({ isRunning }) => isRunning).length;
  const running = tasks.filter((task) => task.state === "running").length + commands;
  const dim = (text: string): FooterPart => ({ text, paint: style.dim });
  return [
    dim(escapeTerminal(session?.model ?? "no session")),
    ...(fullness ? [meterPart(fullness, look)] : []),
    ...(cost.cacheShare === undefined ? [] : [dim(`cache ${Math.floor(cost.cacheShare * 100)}%`)]),
    dim(formatDollars(cost.dollars)),
    ...(agents > 0 ? [{ text: formatNumber(agents, "agent"), paint: style.cyan }] : []),
    ...(running > 0 ? [{ text: formatNumber(running, "task"), paint: style.cyan }] : []),
    ...(state.isExpanded ? [dim("wide cards")] : []),
  ];
}

function meterPart({ tokens, thresholds }: Fullness, { style, isPlain }: Look): FooterPart {
  const share = thresholds.window > 0 ? Math.min(1, tokens / thresholds.window) : 1;
  const filled = Math.round(share * meterCells);
  const meter = isPlain ? "" : `${filledBar(filled, meterCells)} `;
  return {
    text: `context ${meter}${Math.round(share * 100)}%`,
    paint: style[meterColour({ tokens, thresholds })],
  };
}

/** Red wins where the levels of yellow and red are one. */
export function meterColour({ tokens, thresholds }: Fullness): "green" | "yellow" | "red" {
  if (tokens >= thresholds.error) return "red";
  return tokens >= thresholds.warning ? "yellow" : "green";
}

const shownSteps = 5;
const shownAgents = 4;

/** The current work: the newest of it, on so many lines at most. */
export function liveLines(state: ChatState, look: Look, maxRows: number): readonly string[] {
  const { run, work, compaction, queued } = state;
  const { style, columns } = look;
  const below = [
    ...(compaction ? workLines(compaction, look) : []),
    ...(work && !compaction ? workLines(work, look) : []),
    ...(run ? toolLines(run, look) : []),
    ...agentLines(state, look),
    ...queued.map((text) => style.dim(cutText(escapeTerminal(`> ${text} (queued)`), columns))),
    ...(run ? ["", statusLine(run, look)] : []),
  ].slice(-maxRows);
  if (!run || run.answer === "" || look.isPlain) return below;
  const room = maxRows - below.length - 1;
  if (room <= 0) return below;
  return ["", ...answerTail(run.answer, look, room), ...below];
}

/** The end of an answer; what stands far above it is not looked at. */
function answerTail(answer: string, look: Look, rows: number): readonly string[] {
  const lines = answer.split("\n");
  if (lines.length <= rows) return markdownLines(answer, look).slice(-rows);
  const tail = lines.slice(-rows);
  const isInside = lines.slice(0, -rows).filter((line) => /^ {0,3}(?:```|~~~)/.test(line)).length % 2 === 1;
  return markdownLines((isInside ? ["```", ...tail] : tail).join("\n"), look).slice(-rows);
}

function toolLines({ tools }: LiveRun, { cwd, columns, style }: Look): readonly string[] {
  return tools.flatMap(({ tool, input, progress }) => [
    "",
    style.cyan(toolLine(tool, input, cwd, columns)),
    ...(progress === "" ? [] : [style.dim(cutText(escapeTerminal(`  … ${progress}`), columns))]),
  ]);
}

/** The agents in the background; the call that began one has long ended. */
function agentLines({ background }: ChatState, { columns, style }: Look): readonly string[] {
  const running = background.agents.filter(({ state, isBackground }) => isBackground && state === "running");
  const shown = running.slice(0, shownAgents).map(({ name, description, progress = description }) => {
    return style.cyan(cutText(escapeTerminal(`* Agent ${name}: ${progress}`), columns));
  });
  const rest = running.length - shown.length;
  const more = rest > 0 ? [style.dim(`  and ${formatNumber(rest, "more agent")}; /tasks shows all`)] : [];
  return running.length === 0 ? [] : ["", ...shown, ...more];
}

function workLines({ name, steps, canStop }: LiveWork, { columns, style }: Look): readonly string[] {
  const stop = canStop ? style.dim("  (Ctrl+C stops it)") : "";
  return [
    style.bold(name) + stop,
    ...steps
      .slice(-shownSteps)
      .flatMap((step) => wrapBehind("  · ", escapeTerminal(step), columns).slice(0, 2))
      .map(style.dim),
  ];
}

function statusLine({ startedMs, nowMs, doing, isInterrupting }: LiveRun, { style, columns }: Look): string {
  const seconds = Math.max(0, Math.floor((nowMs - startedMs) / 1000));
  const words = isInterrupting ? "interrupting" : doing;
  const shown = `… ${escapeTerminal(words)} · ${seconds} s · Ctrl+C interrupts`;
  return style.dim(cutText(shown, columns));
}
