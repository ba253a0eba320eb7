import { catalogRowName, type PolicySummary } from "../../../../replay/index.ts";
import { wrapBehind } from "../../config/wrap-text.ts";
import { cutText } from "../../fit-text.ts";
import { formatCount, formatNumber } from "../../format-amount.ts";
import { formatDate, formatDuration } from "../../format-time.ts";
import { toHarmless } from "../../harmless.ts";
import type { Style } from "../../style.ts";
import type { Stage } from "../live/stage.ts";
import type { SessionStory } from "../session-story.ts";
import type { DemoState } from "../state/demo-state.ts";
import { layerTotals } from "../state/layer-totals.ts";
import { formatDollars, formatPercent, formatTokens } from "./format-demo.ts";

export interface Summarized {
  readonly story: SessionStory;
  readonly stage: Stage;
  readonly state: DemoState;
  readonly summaries: readonly PolicySummary[];
}

/** Title and measure of the session. */
export function headLines(story: SessionStory, columns: number, style: Style): readonly string[] {
  const { title, model, startedAt, endedAt, turns, requests, cutOff, calls } = story;
  const lasted = formatDuration(Date.parse(endedAt) - Date.parse(startedAt));
  const cut = cutOff > 0 ? ` (${formatCount(cutOff)} cut off)` : "";
  const measure = `${formatDate(startedAt)}, ${lasted} · ${toHarmless(model)} · ${formatNumber(turns.length, "prompt")} · ${formatNumber(requests, "request")}${cut} · ${formatNumber(calls, "call")}`;
  return [style.bold(cutText(toHarmless(title), columns)), ...wrapBehind("  ", measure, columns)];
}

/** What became of the session without the engine and with it. */
export function summaryLines(summarized: Summarized, columns: number): readonly string[] {
  const texts = [withoutText(summarized), withText(summarized), layersText(summarized.state)];
  return texts.flatMap((text) => wrapBehind("  ", text, columns));
}

function withoutText({ stage, state, summaries }: Summarized): string {
  const { window } = stage.thresholds;
  const { peak, dollars } = numbersOf(summaries, "identity");
  const over = state.identity.findIndex(({ tokens }) => tokens > window);
  const grows = `Without the engine the context grows to ${formatTokens(peak)} tokens`;
  if (over === -1) return `${grows} and costs ${formatDollars(dollars)}.`;
  return `${grows}: a window of ${formatTokens(window)} refuses it from request ${formatCount(over + 1)} of ${formatCount(state.identity.length)} on. In a larger one it would cost ${formatDollars(dollars)}.`;
}

function withText({ summaries }: Summarized): string {
  const { peak, dollars, fetched } = numbersOf(summaries, "engine");
  const without = numbersOf(summaries, "identity").dollars;
  const part = (cost: number) => formatPercent(cost / without);
  return `With it the context stays below ${formatTokens(Math.ceil((peak + 1) / 1000) * 1000)} and costs ${formatDollars(dollars)}, ${part(dollars)} of that; ${formatDollars(fetched)}, ${part(fetched)}, when all that is missing later is fetched again.`;
}

function layersText({ events }: DemoState): string {
  const done = layerTotals(events).map(({ name, times, frees }) =>
    frees > 0 ? `${name} ${times}× (−${formatTokens(frees)})` : `${name} ${times}×`,
  );
  return `Layers: ${done.join(" · ")}. Memory, dreams and agents (5–7) have no part in a replay.`;
}

function numbersOf(summaries: readonly PolicySummary[], name: string) {
  const summary = summaries.find(({ policy }) => policy === name);
  const cost = summary?.cost[catalogRowName];
  return {
    peak: summary?.context.peak ?? 0,
    dollars: cost?.total ?? 0,
    fetched: cost?.totalFetched ?? 0,
  };
}
