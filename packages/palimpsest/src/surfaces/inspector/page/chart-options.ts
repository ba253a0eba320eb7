import type uPlot from "uplot";
import { decideTop, type StackedColumns } from "./chart-columns.ts";
import type { Colours } from "./colours.ts";
import { type ChartMarks, drawMarks } from "./draw-marks.ts";
import { formatTokens } from "./format.ts";

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
    ...common(colours, () => marks().lines),
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
    ...common(colours, () => marks().lines),
    series: [{}, line("session-line", [5, 3]), line("policy-line")],
    hooks: { draw: [(chart) => drawMarks(chart, marks(), colours)] },
  };
}

function common(
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
