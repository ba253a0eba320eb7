import { useMemo, useRef } from "preact/hooks";
import type { InspectedSession } from "../../inspected.ts";
import { decideTop, describeChart, readColours, stackColumns, stackedOptions } from "../chart-options.ts";
import type { ChartMarks } from "../draw-marks.ts";
import { formatName, formatTokens } from "../text-parts.ts";
import { Chart } from "./chart.tsx";

interface ContextChartProps {
  readonly session: InspectedSession;
  readonly request: number;
  readonly pinned: number | undefined;
  readonly height: number;
  /** Changes when colours do. */
  readonly theme: number;
  readonly zoomOuts: number;
  readonly onChoose: (request: number) => void;
  readonly onHover: (request: number | undefined) => void;
  readonly onZoom: (isZoomed: boolean) => void;
}

/** The context over time by category, with the window, its thresholds, compactions and cache breaks. */
export function ContextChart(props: ContextChartProps) {
  const { session, request, pinned, height, theme, zoomOuts, onChoose, onHover, onZoom } = props;
  const stacked = useMemo(() => stackColumns(session.requests), [session]);
  const columns = useMemo(
    () => [Float64Array.from(session.requests.at, (_, at) => at + 1), ...stacked.tops] as const,
    [stacked],
  );
  const marks = useRef<ChartMarks>();
  marks.current = useMemo(() => toMarks(session), [session]);
  return (
    <Chart
      label={describeChart(session, formatTokens)}
      height={height}
      optionsKey={`${theme} ${stacked.categories.join()} ${session.id}`}
      options={() =>
        stackedOptions(stacked, session.categories, () => marks.current ?? toMarks(session), readColours())
      }
      columns={columns as unknown as [Float64Array, ...Float64Array[]]}
      lines={[
        ...(pinned === undefined ? [] : [{ name: "pinned", at: pinned + 1 }]),
        { name: "chosen", at: request + 1 },
      ]}
      zoomOuts={zoomOuts}
      onChoose={onChoose}
      onHover={onHover}
      onZoom={onZoom}
    />
  );
}

function toMarks(session: InspectedSession): ChartMarks {
  const { tokens, breaks } = session.requests;
  const at = (isCompaction: boolean) => [
    ...new Set(
      session.marks
        .filter(({ kind }) => (kind === "compaction") === isCompaction)
        .map(({ request }) => request + 1),
    ),
  ];
  return {
    compactions: at(true),
    others: at(false),
    breaks: breaks.flatMap((each, request) => (each === null ? [] : [request + 1])),
    lines: toLines(
      session.window,
      tokens.reduce((most, each) => Math.max(most, each), 0),
    ),
  };
}

/** The window and its thresholds, as far as they fit above the tokens. */
export function toLines(window: InspectedSession["window"], largest: number): ChartMarks["lines"] {
  if (!window) return [];
  const lines = [...window.thresholds, { name: "window", tokens: window.tokens }];
  const { shown } = decideTop(
    largest,
    lines.map(({ tokens }) => tokens),
  );
  return lines
    .filter(({ tokens }) => shown.includes(tokens))
    .map(({ name, tokens }) => ({ name: `${formatName(name)} ${formatTokens(tokens)}`, tokens }));
}
