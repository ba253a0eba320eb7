import type uPlot from "uplot";
import { formatNumber } from "../../terminal/format-amount.ts";
import type { InspectedSession } from "../inspected.ts";
import { type ChartMarks, drawMarks } from "./draw-marks.ts";
import { formatTokens } from "./text-parts.ts";

type Options = Omit<uPlot.Options, "width" | "height">;

/** Areas by category, one on top of the other; everything that changes with time is asked for when it is drawn. */
export function stackedOptions(
  stacked: StackedColumns,
  names: readonly string[],
  marks: () => ChartMarks,
  colours: Colours,
): Options {
  const series = stacked.categories.map((category): uPlot.Series => {
    const colour = colours.category(names[category] ?? "other");
    return { stroke: colours.of("surface"), width: 0.5, fill: colour, points: { show: false } };
  });
  return {
    ...commonOptions(colours, () => marks().lines),
    series: [{}, ...series],
    bands: series.slice(1).map((_, at) => ({ series: [at + 2, at + 1] as [number, number] })),
    hooks: { draw: [(chart) => drawMarks(chart, marks(), colours)] },
  };
}

/** Two lines: the session's tokens and another policy's. */
export function pairOptions(marks: () => ChartMarks, colours: Colours): Options {
  const line = (colour: string, dash?: number[]): uPlot.Series => ({
    stroke: colours.of(colour),
    width: 1.5,
    points: { show: false },
    ...(dash ? { dash } : {}),
  });
  return {
    ...commonOptions(colours, () => marks().lines),
    series: [{}, line("session-line", [5, 3]), line("policy-line")],
    hooks: { draw: [(chart) => drawMarks(chart, marks(), colours)] },
  };
}

function commonOptions(
  colours: Colours,
  lines: () => ChartMarks["lines"],
): Pick<Options, "scales" | "axes" | "padding"> {
  const axis = {
    stroke: colours.of("quiet"),
    font: "11px system-ui, sans-serif",
    grid: { stroke: colours.of("line"), width: 1 },
    ticks: { show: false },
  };
  return {
    padding: [8, 12, 0, 0],
    scales: {
      x: { time: false },
      y: {
        range: (_chart, _min, max) => [
          0,
          decideTop(
            max ?? 0,
            lines().map(({ tokens }) => tokens),
          ).top,
        ],
      },
    },
    axes: [
      { ...axis, size: 26, grid: { show: false }, values: (_chart, splits) => splits.map(wholeNumber) },
      { ...axis, size: 52, values: (_chart, splits) => splits.map((tokens) => formatTokens(tokens)) },
    ],
  };
}

const wholeNumber = (value: number) => (Number.isInteger(value) ? String(value) : "");

interface StackedColumns {
  /** Numbers of the categories that have tokens at all, from the bottom up. */
  readonly categories: readonly number[];
  /** For each of them the sum of itself and those below, a value a request. */
  readonly tops: readonly Float64Array[];
}

/** The columns of an area chart: each category on top of those before it. */
export function stackColumns({ byCategory }: InspectedSession["requests"]): StackedColumns {
  const categories: number[] = [];
  const tops: Float64Array[] = [];
  const count = byCategory.reduce((most, each) => Math.max(most, each.length), 0);
  for (let category = 0; category < count; category += 1) {
    if (byCategory.every((tokens) => (tokens[category] ?? 0) === 0)) continue;
    const below = tops.at(-1);
    categories.push(category);
    tops.push(
      Float64Array.from(byCategory, (tokens, request) => (tokens[category] ?? 0) + (below?.[request] ?? 0)),
    );
  }
  return { categories, tops };
}

/** Lines further above the tokens than this are left out, since they would press the areas flat. */
const maxHeadroom = 2.5;

export function decideTop(
  largest: number,
  lines: readonly number[],
): { readonly top: number; readonly shown: number[] } {
  const shown = lines.filter((tokens) => tokens <= Math.max(1, largest) * maxHeadroom);
  return { top: Math.max(1, largest, ...shown) * 1.08, shown };
}

/** One sentence for those who do not see the chart. */
export function describeChart(session: InspectedSession, formatTokens: (tokens: number) => string): string {
  const { tokens, breaks } = session.requests;
  if (tokens.length === 0) return "No request yet.";
  const largest = tokens.reduce((most, each) => Math.max(most, each), 0);
  const window = session.window ? ` of a window of ${formatTokens(session.window.tokens)}` : "";
  const compactions = session.marks.filter(({ kind }) => kind === "compaction").length;
  const broken = breaks.filter((each) => each !== null).length;
  return (
    `Context over ${formatNumber(tokens.length, "request")}: ${formatTokens(tokens[0] ?? 0)} tokens at first, ` +
    `${formatTokens(tokens.at(-1) ?? 0)} at last, at most ${formatTokens(largest)}${window}; ` +
    `${formatNumber(compactions, "compaction")}, ${formatNumber(broken, "cache break")}.`
  );
}

/** Requests worth stopping at: what a decision changed and where the cache broke, in order. */
export function markedRequests(session: InspectedSession): readonly number[] {
  const broken = session.requests.breaks.flatMap((each, request) => (each === null ? [] : [request]));
  const marked = session.marks.map(({ request }) => request);
  return [...new Set([...broken, ...marked])].sort((a, b) => a - b);
}

/** Reads colours of the style sheet as a canvas takes them. */
export interface Colours {
  of(name: string): string;
  category(name: string): string;
}

/** The colours as they are now: ask again when the theme changes. */
export function readColours(): Colours {
  const probe = document.createElement("span");
  probe.hidden = true;
  const known = new Map<string, string>();
  const of = (name: string) => {
    const found = known.get(name);
    if (found !== undefined) return found;
    document.body.append(probe);
    probe.style.color = `var(--${name})`;
    const colour = getComputedStyle(probe).color;
    probe.remove();
    known.set(name, colour);
    return colour;
  };
  return { of, category: (name) => of(`category-${name}`) };
}
