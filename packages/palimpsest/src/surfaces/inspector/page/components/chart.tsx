import { useEffect, useRef } from "preact/hooks";
import uPlot from "uplot";
import { useSize } from "../hooks/use-size.ts";

export interface ChartProps {
  readonly label: string;
  readonly height: number;
  /** Made anew when `optionsKey` changes; columns of the same shape are only exchanged. */
  readonly options: () => Omit<uPlot.Options, "width" | "height">;
  readonly optionsKey: string;
  readonly columns: uPlot.AlignedData;
  /** Vertical lines over the chart. */
  readonly lines: readonly { readonly name: string; readonly at: number }[];
  readonly onChoose: (index: number) => void;
  readonly onHover: (index: number | undefined) => void;
  readonly onZoom: (isZoomed: boolean) => void;
  /** A change of this shows everything again. */
  readonly zoomOuts: number;
}

/** Movement up to this many pixels is a click, more is a zoom. */
const clickPixels = 4;

export function Chart(props: ChartProps) {
  const { label, height, options, optionsKey, columns, lines, zoomOuts } = props;
  const place = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot>();
  const latest = useRef(props);
  latest.current = props;
  const { width } = useSize(place);

  useEffect(() => {
    if (!place.current || width === 0) return;
    const chart = new uPlot(withReader(options(), latest, width, height), columns, place.current);
    plot.current = chart;
    return () => {
      chart.destroy();
      plot.current = undefined;
    };
  }, [optionsKey, width > 0]);

  useEffect(() => {
    if (width > 0) plot.current?.setSize({ width, height });
  }, [width, height]);

  useEffect(() => {
    const chart = plot.current;
    if (!chart || chart.data === columns) return;
    const { min, max } = chart.scales.x ?? {};
    const isZoomed = isWithin(chart);
    chart.setData(columns);
    if (isZoomed && min != null && max != null) chart.setScale("x", { min, max });
  }, [columns]);

  useEffect(() => {
    if (plot.current) showAll(plot.current);
  }, [zoomOuts]);

  useEffect(() => {
    if (plot.current) placeLines(plot.current, lines);
  });

  return <div ref={place} class="chart" role="img" aria-label={label} style={{ height: `${height}px` }} />;
}

function withReader(
  options: Omit<uPlot.Options, "width" | "height">,
  latest: { readonly current: ChartProps },
  width: number,
  height: number,
): uPlot.Options {
  let hovered: number | undefined;
  return {
    ...options,
    width,
    height,
    legend: { show: false },
    cursor: {
      y: false,
      points: { show: false },
      drag: { x: true, y: false, dist: clickPixels },
    },
    hooks: {
      ...options.hooks,
      ready: [
        (chart) => {
          let from = 0;
          chart.over.addEventListener("mousedown", (event) => {
            from = event.clientX;
          });
          chart.over.addEventListener("click", (event) => {
            if (Math.abs(event.clientX - from) > clickPixels) return;
            const index = chart.posToIdx(event.clientX - chart.over.getBoundingClientRect().left);
            latest.current.onChoose(index);
          });
          placeLines(chart, latest.current.lines);
        },
      ],
      setCursor: [
        (chart) => {
          const index = chart.cursor.idx ?? undefined;
          if (index === hovered) return;
          hovered = index;
          latest.current.onHover(index);
        },
      ],
      setScale: [
        (chart, key) => {
          if (key !== "x") return;
          placeLines(chart, latest.current.lines);
          latest.current.onZoom(isWithin(chart));
        },
      ],
      setSize: [(chart) => placeLines(chart, latest.current.lines)],
    },
  };
}

function isWithin(chart: uPlot): boolean {
  const { min, max } = chart.scales.x ?? {};
  const [x] = chart.data;
  const [first = 0, last = 0] = [x[0], x[x.length - 1]];
  return min != null && max != null && (min > first || max < last);
}

function showAll(chart: uPlot): void {
  const [x] = chart.data;
  if (x.length > 0) chart.setScale("x", { min: x[0] ?? 0, max: x[x.length - 1] ?? 1 });
}

/** Lines are elements over the canvas, so that moving one draws nothing else again. */
function placeLines(chart: uPlot, lines: ChartProps["lines"]): void {
  for (const line of chart.over.querySelectorAll(".chart-line")) line.remove();
  const { min = 0, max = 0 } = chart.scales.x ?? {};
  for (const { name, at } of lines) {
    if (at < (min ?? 0) || at > (max ?? 0)) continue;
    const line = document.createElement("div");
    line.className = `chart-line ${name}`;
    line.style.left = `${chart.valToPos(at, "x")}px`;
    chart.over.append(line);
  }
}
