import type uPlot from "uplot";
import type { Colours } from "./chart-options.ts";

export interface ChartMarks {
  /** Places on the axis of requests. */
  readonly compactions: readonly number[];
  readonly others: readonly number[];
  readonly breaks: readonly number[];
  readonly lines: readonly { readonly name: string; readonly tokens: number }[];
}

/** Draws over the areas: lines of the window and its thresholds, compactions from top to bottom, breaks at the foot. */
export function drawMarks(chart: uPlot, marks: ChartMarks, colours: Colours): void {
  const { ctx, bbox } = chart;
  const scale = devicePixelRatio;
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
  ctx.clip();
  drawLines(chart, marks.lines, colours, scale);
  const x = (at: number) => Math.round(chart.valToPos(at, "x", true));
  ctx.strokeStyle = colours.of("compaction");
  ctx.fillStyle = colours.of("compaction");
  ctx.lineWidth = 1.5 * scale;
  ctx.setLineDash([4 * scale, 3 * scale]);
  for (const at of marks.compactions) {
    ctx.beginPath();
    ctx.moveTo(x(at), bbox.top);
    ctx.lineTo(x(at), bbox.top + bbox.height);
    ctx.stroke();
  }
  ctx.setLineDash([]);
  ctx.lineWidth = scale;
  ctx.strokeStyle = colours.of("surface");
  for (const at of marks.compactions) triangle(ctx, x(at), bbox.top, 5 * scale, 8 * scale);
  ctx.fillStyle = colours.of("quiet");
  for (const at of marks.others) triangle(ctx, x(at), bbox.top, 3 * scale, 5 * scale);
  ctx.fillStyle = colours.of("break");
  const foot = bbox.top + bbox.height;
  for (const at of marks.breaks) triangle(ctx, x(at), foot, 4 * scale, -8 * scale);
  ctx.restore();
}

function drawLines(chart: uPlot, lines: ChartMarks["lines"], colours: Colours, scale: number): void {
  const { ctx, bbox } = chart;
  ctx.lineWidth = scale;
  ctx.setLineDash([2 * scale, 3 * scale]);
  ctx.strokeStyle = colours.of("ink");
  ctx.font = `${11 * scale}px system-ui, sans-serif`;
  ctx.textAlign = "left";
  ctx.textBaseline = "bottom";
  const placed = lines.map(({ name, tokens }) => ({
    name,
    y: Math.round(chart.valToPos(tokens, "y", true)) + 0.5,
  }));
  for (const { y } of placed) {
    ctx.beginPath();
    ctx.moveTo(bbox.left, y);
    ctx.lineTo(bbox.left + bbox.width, y);
    ctx.stroke();
  }
  let last = { lineY: Number.POSITIVE_INFINITY, textY: 0, end: bbox.left };
  for (const { name, y } of placed) {
    const isNear = (other: number) => Math.abs(other - y) < 16 * scale;
    const isBeside = isNear(last.lineY);
    const isBelow = isNear(bbox.top) || placed.some((other) => other.y < y && isNear(other.y));
    const textY = isBeside ? last.textY : isBelow ? y + 15 * scale : y - scale;
    const textX = (isBeside ? last.end : bbox.left) + 6 * scale;
    drawOutlined(ctx, name, textX, textY, colours, scale);
    last = { lineY: y, textY, end: textX + ctx.measureText(name).width + 8 * scale };
  }
}

/** Text that can be read on any area. */
function drawOutlined(
  ctx: CanvasRenderingContext2D,
  text: string,
  x: number,
  y: number,
  colours: Colours,
  scale: number,
): void {
  ctx.save();
  ctx.setLineDash([]);
  ctx.lineJoin = "round";
  ctx.lineWidth = 4 * scale;
  ctx.strokeStyle = colours.of("surface");
  ctx.strokeText(text, x, y);
  ctx.fillStyle = colours.of("ink");
  ctx.fillText(text, x, y);
  ctx.restore();
}

function triangle(ctx: CanvasRenderingContext2D, x: number, y: number, half: number, depth: number): void {
  ctx.beginPath();
  ctx.moveTo(x - half, y);
  ctx.lineTo(x + half, y);
  ctx.lineTo(x, y + depth);
  ctx.closePath();
  ctx.fill();
  ctx.stroke();
}
