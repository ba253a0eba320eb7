import { cutText, textWidth } from "../../cli/fit-text.ts";
import { formatNumber } from "../../cli/format-amount.ts";
import { toHarmless } from "../../cli/harmless.ts";
import type { ChatState, Fullness } from "../state/chat-state.ts";
import type { Look } from "./look.ts";

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
    dim(toHarmless(session?.model ?? "no session")),
    ...(fullness ? [meterPart(fullness, look)] : []),
    ...(cost.cacheShare === undefined ? [] : [dim(`cache ${Math.floor(cost.cacheShare * 100)}%`)]),
    dim(`$${cost.dollars.toFixed(cost.dollars < 10 ? 4 : 2)}`),
    ...(agents > 0 ? [{ text: formatNumber(agents, "agent"), paint: style.cyan }] : []),
    ...(running > 0 ? [{ text: formatNumber(running, "task"), paint: style.cyan }] : []),
    ...(state.isExpanded ? [dim("wide cards")] : []),
  ];
}

function meterPart({ tokens, thresholds }: Fullness, { style, isPlain }: Look): FooterPart {
  const share = thresholds.window > 0 ? Math.min(1, tokens / thresholds.window) : 1;
  const filled = Math.round(share * meterCells);
  const meter = isPlain ? "" : `${"█".repeat(filled)}${"░".repeat(meterCells - filled)} `;
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
