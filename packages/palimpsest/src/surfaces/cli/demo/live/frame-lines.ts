import { escapeTerminal } from "../../../terminal/escape-terminal.ts";
import {
  formatCents,
  formatCount,
  formatDuration,
  formatPercent,
  formatTokens,
} from "../../../terminal/format-amount.ts";
import { meter } from "../../../terminal/meter.ts";
import { createStyle, type Style } from "../../../terminal/style.ts";
import { cutText, padText } from "../../../terminal/text-width.ts";
import { toolLine } from "../../../terminal/tool-line.ts";
import { eventLine } from "../lines/event-line.ts";
import type { LayerEvent, PlayedRequest } from "../runs/demo-policies.ts";
import { type DemoMoment, layerName, layerTotals } from "../state/demo-state.ts";
import { paintTokens, type Stage } from "./stage.ts";

export interface FrameSize {
  readonly columns: number;
  readonly rows: number;
}

const labelColumns = 11;
const tokensColumns = 5;
const dollarsColumns = 8;
const breaksColumns = 6;
const gap = "  ";
/** On a narrower screen lines are cut, and nothing is coloured. */
const minColumns = 32;
/** On a narrower screen only the contexts are shown. */
const costsFrom = 56;
const maxBarColumns = 100;
/** Contexts are measured anew in a replay, and may come out a little larger than recorded. */
const headroom = 1.05;
/** After a pause longer than this the prompt cache is cold. */
const cacheMs = 5 * 60 * 1000;

/** The whole screen at one moment: at most so many lines, none wider than the screen. */
export function frameLines(
  moment: DemoMoment,
  stage: Stage,
  footer: string,
  { columns, rows }: FrameSize,
  style: Style,
): readonly string[] {
  if (columns < minColumns)
    return frameLines(moment, stage, footer, { columns: minColumns, rows }, createStyle(false)).map((line) =>
      cutText(line, columns),
    );
  const fixed = [
    style.bold(cutText(escapeTerminal(stage.title), columns)),
    ...sceneLines(moment, stage, columns, style),
    "",
    ...meterLines(moment, stage, columns, style),
    "",
    ...layerLines(moment, columns, style),
    "",
  ];
  const room = rows - 2;
  const head = fixed.slice(0, Math.max(0, room));
  const eventRows = Math.max(0, room - head.length);
  const events = eventRows === 0 ? [] : toldEvents(moment.events).slice(-eventRows);
  const isNew = (request: number) => request === moment.passed - 1;
  const told = events.map((event) => {
    const line = eventLine(event, columns);
    return isNew(event.request) ? style.bold(line) : style.dim(line);
  });
  const blank = Array.from({ length: Math.max(0, room - head.length - told.length) }, () => "");
  return [...head, ...told, ...blank, "", style.dim(cutText(footer, columns))].slice(-rows);
}

/** What freed something, and of the rest the newest: notes are written so often that nothing else would be seen. */
function toldEvents(events: readonly LayerEvent[]): readonly LayerEvent[] {
  const newest = events.findLast(({ frees }) => frees <= 0);
  return events.filter((event) => event.frees > 0 || event === newest);
}

function sceneLines(
  { passed, requests, prompt, scene }: DemoMoment,
  { model, folder }: Stage,
  columns: number,
  style: Style,
): readonly string[] {
  const pause =
    prompt && prompt.idleMs > cacheMs ? ` after ${formatDuration(prompt.idleMs)}, the cache cold` : "";
  const turn = prompt ? ` · prompt ${prompt.number} of ${prompt.of}${pause}` : "";
  const [call] = scene?.calls ?? [];
  const more = scene && scene.calls.length > 1 ? ` and ${scene.calls.length - 1} more` : "";
  const labelled = (label: string, text: string) => `${style.dim(padText(label, labelColumns))}${gap}${text}`;
  const width = columns - labelColumns - gap.length;
  return [
    labelled(
      "request",
      cutText(`${formatCount(passed)} of ${formatCount(requests)}${turn} · ${escapeTerminal(model)}`, width),
    ),
    labelled("user", cutText(escapeTerminal(prompt?.text ?? ""), width)),
    labelled(
      "agent",
      call
        ? toolLine(call.tool, call.input, folder, width - more.length).slice(2) + more
        : scene
          ? "answers"
          : "",
    ),
  ];
}

function meterLines(
  { engine, identity }: DemoMoment,
  stage: Stage,
  columns: number,
  style: Style,
): readonly string[] {
  const { thresholds, peakTokens } = stage;
  const costs = columns >= costsFrom;
  const costColumns = costs ? dollarsColumns + breaksColumns + 2 * gap.length : 0;
  const others = labelColumns + tokensColumns + 2 * gap.length + costColumns;
  const scale = {
    columns: Math.min(maxBarColumns, columns - others),
    tokens: Math.max(peakTokens * headroom, identity?.tokens ?? 0),
    windowTokens: thresholds.window,
  };
  const row = (label: string, played: PlayedRequest | null) => {
    const { tokens, dollars, breaks } = played ?? { tokens: 0, dollars: 0, breaks: 0 };
    const paint = paintTokens(thresholds, tokens, style);
    return [
      padText(label, labelColumns),
      paint(meter(tokens, scale)),
      paint(padText(formatTokens(tokens), tokensColumns, "right")),
      ...(costs ? [padText(formatCents(dollars), dollarsColumns, "right")] : []),
      ...(costs ? [padText(String(breaks), breaksColumns, "right")] : []),
    ].join(gap);
  };
  const heading = [
    padText("context", labelColumns),
    padText(cutText(`┊ is a window of ${formatTokens(thresholds.window)}`, scale.columns), scale.columns),
    padText("now", tokensColumns, "right"),
    ...(costs ? [padText("so far", dollarsColumns, "right"), padText("breaks", breaksColumns, "right")] : []),
  ].join(gap);
  return [
    style.dim(heading),
    row("with", engine),
    row("without", identity),
    cutText(savedText(engine, identity, thresholds.window), columns),
  ];
}

function savedText(engine: PlayedRequest | null, identity: PlayedRequest | null, window: number): string {
  if (!engine || !identity || identity.dollars === 0) return "";
  const saved = `${padText("saved", labelColumns)}${gap}${formatCents(identity.dollars - engine.dollars)}, ${formatPercent(1 - engine.dollars / identity.dollars)}`;
  return identity.tokens > window ? `${saved} · refused by the window without the engine` : saved;
}

function layerLines({ events, passed }: DemoMoment, columns: number, style: Style): readonly string[] {
  const firing = new Set(
    events.filter(({ request }) => request === passed - 1).map(({ layer }) => layerName(layer)),
  );
  return layerTotals(events).map(({ name, times, frees }) => {
    const freed = frees > 0 ? `${gap}−${formatTokens(frees)} tokens` : "";
    const mark = firing.has(name) ? "●" : " ";
    const line = cutText(
      `${mark} ${padText(name, 15)}${gap}${padText(`${times}×`, 4, "right")}${freed}`,
      columns,
    );
    if (firing.has(name)) return style.cyan(line);
    return times === 0 ? style.dim(line) : line;
  });
}
