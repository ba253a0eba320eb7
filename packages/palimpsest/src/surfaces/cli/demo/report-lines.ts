import { relative } from "node:path";
import { catalogRowName, type PolicySummary } from "../../../replay/index.ts";
import { escapeTerminal } from "../../terminal/escape-terminal.ts";
import {
  formatCents,
  formatCount,
  formatDate,
  formatDuration,
  formatNumber,
  formatPercent,
  formatTokens,
} from "../../terminal/format-amount.ts";
import type { Style } from "../../terminal/style.ts";
import { type Cell, renderTable } from "../../terminal/table.ts";
import { cutText, padText } from "../../terminal/text-width.ts";
import { wrapBehind } from "../../terminal/wrap-text.ts";
import { eventLine } from "./lines/event-line.ts";
import { paintTokens, type Stage } from "./live/stage.ts";
import { comparedPolicies, shippedPolicy } from "./runs/demo-policies.ts";
import type { SessionStory } from "./session-story.ts";
import { type DemoState, layerTotals } from "./state/demo-state.ts";

export interface ReportLocation {
  readonly columns: number;
  readonly style: Style;
  /** Turns and the layers' work were shown by the view. */
  readonly wasShown: boolean;
  readonly inspector: InspectorLocations;
}

/** The lines that stay of the demo. */
export function reportLines(summarized: DemoSummary, location: ReportLocation): readonly string[] {
  const { story, stage, state, summaries } = summarized;
  const { columns, style, wasShown, inspector } = location;
  const played = [...turnLines(stage, state, columns, style), "", ...eventLines(state, columns), ""];
  return [
    ...headLines(story, columns, style),
    "",
    ...(wasShown ? [] : played),
    ...summaryLines(summarized, columns),
    "",
    ...comparisonLines(summaries, columns, style),
    "",
    ...wrapBehind(
      "  ",
      "Tool calls and results are real; words and token counts are not a model's.",
      columns,
    ),
    "",
    ...inspectorLines(inspector, style),
  ];
}

/** The tokens the layers freed, one line each; notes free nothing and are only counted. */
function eventLines({ events }: DemoState, columns: number): readonly string[] {
  const notes = events.filter(({ layer }) => layer === "session-notes").length;
  return [
    ...events.filter(({ frees }) => frees > 0).map((event) => eventLine(event, columns)),
    ...(notes > 0 ? [cutText(`     3 session notes       written ${notes} times in between`, columns)] : []),
  ];
}

interface InspectorLocations {
  /** The bundled session. */
  readonly sample: string;
  /** Where the session is shown as the engine left it; absent where nobody would look. */
  readonly url?: string;
  /** Where the command was called. */
  readonly folder: string;
}

/** How to look inside: the session with the decisions of the layers, or as it was recorded. */
export function inspectorLines({ sample, url, folder }: InspectorLocations, style: Style): readonly string[] {
  const near = relative(folder, sample);
  // A path may be long: it has a line to itself.
  const recorded = `    palimpsest inspect ${escapeTerminal(near.startsWith("..") ? sample : near)}`;
  if (url === undefined) return [`  ${style.dim("look inside:")}`, recorded];
  return [
    `  ${style.dim("look inside:")}  ${style.bold(url)}`,
    `  ${style.dim("as recorded:")}`,
    recorded,
    "",
    style.dim("  Only this machine can open the page. Ctrl+C ends it."),
  ];
}

interface Turn {
  readonly prompt: string;
  readonly idleMs: number;
  readonly requests: number;
  /** Number of its last request, from 0. */
  readonly last: number;
}

/** After a pause longer than this the prompt cache is cold. */
const cacheMs = 5 * 60 * 1000;
/** Number, requests, the two contexts, and the spaces between them. */
const otherColumns = 33;

/** The user's prompts, and the context that each request of the user ended with. */
function turnLines(stage: Stage, state: DemoState, columns: number, style: Style): readonly string[] {
  const textColumns = Math.max(1, columns - otherColumns);
  const row = (cells: readonly [string, string, string, string, string], paint = (text: string) => text) => {
    const [number, text, requests, without, within] = cells;
    const head = `  ${padText(number, 3, "right")}  ${padText(cutText(text, textColumns), textColumns)}  ${padText(requests, 8, "right")}`;
    return `${head}  ${paint(padText(without, 7, "right"))}  ${padText(within, 5, "right")}`;
  };
  const lines = toTurns(stage).flatMap(({ prompt, idleMs, requests, last }, index) => {
    const without = state.identity[last]?.tokens ?? 0;
    const pause = `       … ${formatDuration(idleMs)} later: the cache is cold`;
    const cells = [
      String(index + 1),
      escapeTerminal(prompt),
      String(requests),
      formatTokens(without),
      formatTokens(state.engine[last]?.tokens ?? 0),
    ] as const;
    return [
      ...(idleMs > cacheMs ? [style.dim(pause)] : []),
      row(cells, paintTokens(stage.thresholds, without, style)),
    ];
  });
  return [style.dim(row(["#", "the user asks", "requests", "without", "with"])), ...lines];
}

/** A prompt that was not answered ends with the request before it. */
function toTurns({ scenes }: Stage): readonly Turn[] {
  const begun = scenes.flatMap(({ prompts, idleMs }, first) =>
    prompts.map((prompt, at) => ({ prompt, first, idleMs: at === 0 ? idleMs : 0 })),
  );
  return begun.map(({ prompt, first, idleMs }, at) => {
    const end = begun[at + 1]?.first ?? scenes.length;
    return { prompt, idleMs, requests: end - first, last: Math.max(0, end - 1) };
  });
}

const indent = "  ";

/** One row a policy, and what the columns mean. */
function comparisonLines(
  summaries: readonly PolicySummary[],
  columns: number,
  style: Style,
): readonly string[] {
  const table = renderTable({
    columns: [
      { header: "policy" },
      { header: "dollars", align: "right" },
      { header: "× identity", align: "right" },
      { header: "fetched", align: "right" },
      { header: "breaks", align: "right" },
      { header: "peak", align: "right" },
      { header: "far edits", align: "right" },
    ],
    rows: summaries.map((summary) => toRow(summary, style)),
    width: columns - indent.length,
    paintHeader: style.dim,
  });
  return [
    ...table.map((line) => indent + line),
    ...noteTexts(summaries).flatMap((text) => wrapBehind(indent, text, columns)),
  ];
}

function toRow({ policy, cost, breaks, context, headline }: PolicySummary, style: Style): readonly Cell[] {
  const costs = cost[catalogRowName];
  const paint = policy === shippedPolicy ? { paint: style.bold } : {};
  return [
    policy,
    (costs?.total ?? 0).toFixed(2),
    (costs?.plain.value ?? 0).toFixed(2),
    (costs?.totalFetched ?? 0).toFixed(2),
    String(breaks.policy),
    formatTokens(context.peak),
    headline.edit_old.withRecall.value?.toFixed(2) ?? "–",
  ].map((text) => ({ text, ...paint }));
}

function noteTexts(summaries: readonly PolicySummary[]): readonly string[] {
  const [first] = summaries;
  const left = comparedPolicies.filter((name) => !summaries.some(({ policy }) => policy === name));
  return [
    "faithful: the engine as it ships, as told above. thrifty: with “economy” set to “thrifty” it compacts before it must, which is cheaper and keeps less in view.",
    "fetched: dollars when every block that a later call needs and the view does not hold is fetched again.",
    `breaks: of the warm cache, by the policy; pauses made it cold ${formatNumber(first?.breaks.idle ?? 0, "time")} besides, for all.`,
    `far edits: of ${formatNumber(first?.headline.edit_old.needs ?? 0, "edit")} whose old text was last seen more than ten requests before, the part that had it in view or one recall away.`,
    ...(summaries.some(({ policy }) => policy === "oracle")
      ? [
          "oracle: clears with hindsight everything that is not needed later; an upper bound, not a usable policy.",
        ]
      : []),
    ...(left.length > 0 ? [`Left out, since there was no time for them: ${left.join(", ")}.`] : []),
  ];
}

interface DemoSummary {
  readonly story: SessionStory;
  readonly stage: Stage;
  readonly state: DemoState;
  readonly summaries: readonly PolicySummary[];
}

/** Title and measure of the session. */
function headLines(story: SessionStory, columns: number, style: Style): readonly string[] {
  const { title, model, startedAt, endedAt, turns, requests, cutOff, calls } = story;
  const lasted = formatDuration(Date.parse(endedAt) - Date.parse(startedAt));
  const cut = cutOff > 0 ? ` (${formatCount(cutOff)} cut off)` : "";
  const measure = `${formatDate(startedAt)}, ${lasted} · ${escapeTerminal(model)} · ${formatNumber(turns.length, "prompt")} · ${formatNumber(requests, "request")}${cut} · ${formatNumber(calls, "call")}`;
  return [style.bold(cutText(escapeTerminal(title), columns)), ...wrapBehind("  ", measure, columns)];
}

/** The session's result without the engine and with it. */
function summaryLines(summarized: DemoSummary, columns: number): readonly string[] {
  const texts = [withoutText(summarized), withText(summarized), layersText(summarized.state)];
  return texts.flatMap((text) => wrapBehind("  ", text, columns));
}

function withoutText({ stage, state, summaries }: DemoSummary): string {
  const { window } = stage.thresholds;
  const { peak, dollars } = numbersOf(summaries, "identity");
  const over = state.identity.findIndex(({ tokens }) => tokens > window);
  const grows = `Without the engine the context grows to ${formatTokens(peak)} tokens`;
  if (over === -1) return `${grows} and costs ${formatCents(dollars)}.`;
  return `${grows}: a window of ${formatTokens(window)} refuses it from request ${formatCount(over + 1)} of ${formatCount(state.identity.length)} on. In a larger one it would cost ${formatCents(dollars)}.`;
}

function withText({ summaries }: DemoSummary): string {
  const { peak, dollars, fetched } = numbersOf(summaries, shippedPolicy);
  const without = numbersOf(summaries, "identity").dollars;
  const part = (cost: number) => formatPercent(cost / without);
  return `With it, as it ships, the context stays below ${formatTokens(Math.ceil((peak + 1) / 1000) * 1000)} and costs ${formatCents(dollars)}, ${part(dollars)} of that; ${formatCents(fetched)}, ${part(fetched)}, when all that is missing later is fetched again.`;
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
