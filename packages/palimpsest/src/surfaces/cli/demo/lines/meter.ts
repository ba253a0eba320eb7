import { escapeTerminal } from "../../escape-terminal.ts";
import { cutText, padText } from "../../table.ts";
import type { LayerEvent } from "../runs/demo-policies.ts";
import { layerName } from "../state/demo-state.ts";

const full = "█";
const empty = "·";
const mark = "┊";

interface MeterScale {
  readonly columns: number;
  /** The tokens of the whole meter. */
  readonly tokens: number;
  readonly windowTokens: number;
}

/** A bar of exactly so many columns, with a mark where the window ends. */
export function meter(tokens: number, scale: MeterScale): string {
  const place = (count: number) => Math.round((Math.min(count, scale.tokens) / scale.tokens) * scale.columns);
  const filled = tokens > 0 ? Math.max(1, place(tokens)) : 0;
  const end = Math.min(scale.columns - 1, place(scale.windowTokens));
  return Array.from({ length: scale.columns }, (_, at) => {
    if (at === end) return mark;
    return at < filled ? full : empty;
  }).join("");
}

const requestColumns = 4;
const layerColumns = 15;
const freesColumns = 5;

/** One line: at which request, which layer, what it freed, what it did and why. */
export function eventLine({ request, layer, did, frees, why }: LayerEvent, columns: number): string {
  const head = [
    padText(`#${request + 1}`, requestColumns, "right"),
    padText(layerName(layer), layerColumns),
    padText(frees > 0 ? `−${formatTokens(frees)}` : "", freesColumns, "right"),
  ].join(" ");
  return cutText(`${head} ${escapeTerminal(did === "" ? why : `${did}: ${why}`)}`, columns);
}

/** `38k`; below a thousand as it is. */
export function formatTokens(tokens: number): string {
  return tokens < 1000 ? String(Math.round(tokens)) : `${Math.round(tokens / 1000)}k`;
}

/** `$12.86`. */
export function formatDollars(dollars: number): string {
  return `$${dollars.toFixed(2)}`;
}

/** `85 %`, never broken. */
export function formatPercent(share: number): string {
  return `${Math.round(share * 100)}\u00a0%`;
}
