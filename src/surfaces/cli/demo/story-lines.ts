import type { Rates, Usage } from "../../../spec/index.ts";
import { cutText, padText } from "../fit-text.ts";
import { formatCount } from "../format-amount.ts";
import { formatDate, formatDuration } from "../format-time.ts";
import { toHarmless } from "../harmless.ts";
import type { Terminal } from "../terminal.ts";
import type { SessionStory, StoryTurn } from "./session-story.ts";

export interface StoryScale {
  /** The window the picture is drawn for. */
  readonly windowTokens: number;
  /** After a pause longer than this the prompt cache is cold. */
  readonly cacheMs: number;
  readonly rates: Rates;
}

const barColumns = 10;
/** Number, requests, failed calls, tokens, and the spaces between them. */
const otherColumns = 33;
const full = "█";
const empty = "·";
const million = 1_000_000;

/** The story of a session, as lines of at most the terminal's width. */
export function storyLines(
  story: SessionStory,
  scale: StoryScale,
  { columns, style }: Terminal,
): readonly string[] {
  const peak = Math.max(0, ...story.contextTokens);
  const over = story.contextTokens.findIndex((tokens) => tokens > scale.windowTokens);
  const textColumns = columns - barColumns - otherColumns;
  const heading = `  ${padText("#", 3, "right")}  ${padText("the user asks", textColumns)}  requests  failed  ${padText("context", barColumns + 6)}`;
  return [
    style.bold(toHarmless(story.title)),
    `  ${formatDate(story.startedAt)}, ${formatDuration(Date.parse(story.endedAt) - Date.parse(story.startedAt))} · ${toHarmless(story.model)} · ${formatCount(story.requests)} requests · ${formatCount(story.calls)} calls`,
    "",
    style.dim(heading.trimEnd()),
    ...story.turns.flatMap((turn, index) => turnLines(turn, index, peak, scale, textColumns, style)),
    "",
    `  The context grows to ${thousands(peak)} tokens: ${(peak / scale.windowTokens).toFixed(1)} windows of ${thousands(scale.windowTokens)}.`,
    ...(over === -1
      ? []
      : [
          `  From request ${formatCount(over + 1)} of ${formatCount(story.requests)} on, such a window refuses it.`,
        ]),
    `  Sent as it is: ${formatCount(story.usage.cacheRead)} tokens read from the cache,`,
    `  ${formatCount(story.usage.cacheCreation)} written to it, ${formatCount(story.usage.output)} answered: ${style.bold(dollars(story.usage, scale.rates))}.`,
    "  The layers are there to make all of this small.",
  ];
}

function turnLines(
  turn: StoryTurn,
  index: number,
  peak: number,
  { windowTokens, cacheMs }: StoryScale,
  textColumns: number,
  style: Terminal["style"],
): readonly string[] {
  const isCold = turn.idleMs > cacheMs;
  const pause = isCold ? [style.dim(`       … ${formatDuration(turn.idleMs)} later: the cache is cold`)] : [];
  const bar = meter(turn.contextTokens, peak);
  const paint =
    turn.contextTokens > windowTokens
      ? style.red
      : turn.contextTokens > windowTokens * 0.8
        ? style.yellow
        : style.green;
  const failed =
    turn.failures > 0 ? style.yellow(padText(String(turn.failures), 6, "right")) : padText("", 6);
  const text = padText(cutText(toHarmless(turn.prompt), textColumns), textColumns);
  return [
    ...pause,
    `  ${padText(String(index + 1), 3, "right")}  ${text}  ${padText(String(turn.requests), 8, "right")}  ${failed}  ${paint(bar)} ${padText(thousands(turn.contextTokens), 5, "right")}`,
  ];
}

function meter(tokens: number, peak: number): string {
  const filled = peak === 0 ? 0 : Math.round((tokens / peak) * barColumns);
  return full.repeat(filled) + empty.repeat(barColumns - filled);
}

function thousands(tokens: number): string {
  return `${Math.round(tokens / 1000)}k`;
}

/** Cache writes at the price of the shorter time to live. */
function dollars(usage: Usage, rates: Rates): string {
  const cost =
    usage.input * rates.input +
    usage.cacheRead * rates.cacheRead +
    usage.cacheCreation * rates.cacheWrite5m +
    usage.output * rates.output;
  return `$${(cost / million).toFixed(2)}`;
}
