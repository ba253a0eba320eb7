import { wrapBehind } from "../../cli/config/wrap-text.ts";
import { cutText } from "../../cli/fit-text.ts";
import { formatNumber } from "../../cli/format-amount.ts";
import { toHarmless } from "../../cli/harmless.ts";
import { toolLine } from "../../cli/run/tool-line.ts";
import type { ChatState, LiveRun, LiveWork } from "../state/chat-state.ts";
import type { Look } from "./look.ts";
import { markdownLines } from "./markdown-lines.ts";

const shownSteps = 5;
const shownAgents = 4;

/** What goes on: the newest of it, on so many lines at most. */
export function liveLines(state: ChatState, look: Look, maxRows: number): readonly string[] {
  const { run, work, compaction, queued } = state;
  const { style, columns } = look;
  const below = [
    ...(compaction ? workLines(compaction, look) : []),
    ...(work && !compaction ? workLines(work, look) : []),
    ...(run ? toolLines(run, look) : []),
    ...agentLines(state, look),
    ...queued.map((text) => style.dim(cutText(toHarmless(`> ${text} (is heard next)`), columns))),
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
    ...(progress === "" ? [] : [style.dim(cutText(toHarmless(`  … ${progress}`), columns))]),
  ]);
}

/** What agents in the background do; the call that began one has long ended. */
function agentLines({ background }: ChatState, { columns, style }: Look): readonly string[] {
  const running = background.agents.filter(({ state, isBackground }) => isBackground && state === "running");
  const shown = running.slice(0, shownAgents).map(({ name, description, progress = description }) => {
    return style.cyan(cutText(toHarmless(`* Agent ${name}: ${progress}`), columns));
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
      .flatMap((step) => wrapBehind("  · ", toHarmless(step), columns).slice(0, 2))
      .map(style.dim),
  ];
}

function statusLine({ startedMs, nowMs, doing, isInterrupting }: LiveRun, { style, columns }: Look): string {
  const seconds = Math.max(0, Math.floor((nowMs - startedMs) / 1000));
  const words = isInterrupting ? "interrupting" : doing;
  const shown = `… ${toHarmless(words)} · ${seconds} s · Ctrl+C interrupts`;
  return style.dim(cutText(shown, columns));
}
