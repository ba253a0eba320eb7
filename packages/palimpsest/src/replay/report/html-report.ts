import { type ParetoPoint, paretoPoints } from "./pareto-points.ts";
import type { ReplayReport, ReportTable } from "./replay-report.ts";
import { reportTables, sessionLines } from "./report-tables.ts";

const style = `
:root { color-scheme: light dark; --line: #8884; --best: #0a7d4b; --other: #8a8a8a; }
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 72rem; padding: 0 1rem; }
h2 { font-size: 1.05rem; margin: 2rem 0 .5rem; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: 13px; }
th, td { padding: .25rem .6rem; border-bottom: 1px solid var(--line); text-align: right; white-space: nowrap; }
th:first-child, td:first-child { text-align: left; position: sticky; left: 0; background: Canvas; }
p, li { max-width: 60rem; }
svg { width: 100%; max-width: 56rem; height: auto; }
svg text { fill: currentColor; font: 11px system-ui, sans-serif; }
.grid { stroke: var(--line); } .frontier { fill: none; stroke: var(--best); stroke-dasharray: 4 3; }
.best { fill: var(--best); } .other { fill: var(--other); }
`;

/** The report as one page that loads nothing and runs nothing. */
export function htmlReport(report: ReplayReport): string {
  const sessions = sessionLines(report).map((line) => `<li>${escapeHtml(line.trim())}</li>`);
  const tables = report.sessions.measured === 0 ? [] : reportTables(report).map(toTable);
  return [
    "<!doctype html>",
    '<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">',
    `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">`,
    `<title>Replay</title><style>${style}</style></head><body><h1>Replay</h1>`,
    `<ul>${sessions.join("")}</ul>`,
    "<h2>Cost against survival</h2>",
    paretoSvg(paretoPoints(report)),
    "<p>Survival is a necessary condition only: facts out of view cannot be used word for word. No answer was judged. The dashed line joins the policies that no other beats in both cost and kept facts.</p>",
    ...tables,
    "</body></html>",
    "",
  ].join("\n");
}

function toTable({ title, head, rows, notes }: ReportTable): string {
  const cells = (tag: "th" | "td", row: readonly string[]) =>
    `<tr>${row.map((cell) => `<${tag}>${escapeHtml(cell)}</${tag}>`).join("")}</tr>`;
  return [
    `<h2>${escapeHtml(title)}</h2><div class="scroll"><table>`,
    `<thead>${cells("th", head)}</thead><tbody>${rows.map((row) => cells("td", row)).join("")}</tbody></table></div>`,
    ...notes.map((note) => `<p>${escapeHtml(note)}</p>`),
  ].join("\n");
}

const width = 760;
const height = 420;
const left = 60;
const right = 150;
const top = 20;
const bottom = 50;

/** Cost against survival, as one picture that needs nothing from elsewhere. */
function paretoSvg(points: readonly ParetoPoint[]): string {
  const most = Math.max(1, ...points.map(({ cost }) => cost)) * 1.05;
  const x = (cost: number) => left + (cost / most) * (width - left - right);
  const y = (kept: number) => top + (1 - kept) * (height - top - bottom);
  const frontier = points
    .filter(({ isPareto }) => isPareto)
    .sort((one, other) => one.cost - other.cost)
    .map(({ cost, kept }) => `${x(cost).toFixed(1)},${y(kept).toFixed(1)}`);
  const ticks = [0, 0.25, 0.5, 0.75, 1];
  const steps = Array.from({ length: Math.floor(most / 0.25) + 1 }, (_, at) => at * 0.25).filter(
    (cost) => most < 3 || Number.isInteger(cost),
  );
  const parts = [
    ...ticks.map(
      (kept) =>
        `<line class="grid" x1="${left}" x2="${width - right}" y1="${y(kept).toFixed(1)}" y2="${y(kept).toFixed(1)}"/><text class="tick" x="${left - 8}" y="${(y(kept) + 4).toFixed(1)}" text-anchor="end">${kept}</text>`,
    ),
    ...steps.map(
      (cost) =>
        `<line class="grid" y1="${top}" y2="${height - bottom}" x1="${x(cost).toFixed(1)}" x2="${x(cost).toFixed(1)}"/><text class="tick" x="${x(cost).toFixed(1)}" y="${height - bottom + 18}" text-anchor="middle">${cost}</text>`,
    ),
    `<polyline class="frontier" points="${frontier.join(" ")}"/>`,
    ...placeLabels(points, x, y).map(
      ({ point, labelY }) =>
        `<circle class="${point.isPareto ? "best" : "other"}" cx="${x(point.cost).toFixed(1)}" cy="${y(point.kept).toFixed(1)}" r="5"><title>${escapeHtml(point.policy)}: cost ${point.cost.toFixed(3)}, in view ${point.kept.toFixed(3)}</title></circle><text class="name" x="${(x(point.cost) + 9).toFixed(1)}" y="${labelY.toFixed(1)}">${escapeHtml(point.policy)}</text>`,
    ),
    `<text class="axis" x="${(left + width - right) / 2}" y="${height - 10}" text-anchor="middle">cost with every missing block fetched again, identity = 1</text>`,
    `<text class="axis" transform="translate(14 ${(top + height - bottom) / 2}) rotate(-90)" text-anchor="middle">part of needs in view</text>`,
  ];
  return `<svg role="img" aria-label="Cost against survival" viewBox="0 0 ${width} ${height}" xmlns="http://www.w3.org/2000/svg">${parts.join("")}</svg>`;
}

const lineHeight = 13;

/** Names that would stand on each other are moved down. */
function placeLabels(
  points: readonly ParetoPoint[],
  x: (cost: number) => number,
  y: (kept: number) => number,
): readonly { readonly point: ParetoPoint; readonly labelY: number }[] {
  const taken: { readonly x: number; readonly y: number }[] = [];
  return [...points]
    .sort((one, other) => other.kept - one.kept || one.cost - other.cost)
    .map((point) => {
      let labelY = y(point.kept) + 4;
      const isTaken = () =>
        taken.some((one) => Math.abs(one.x - x(point.cost)) < 110 && Math.abs(one.y - labelY) < lineHeight);
      while (isTaken()) labelY += lineHeight;
      taken.push({ x: x(point.cost), y: labelY });
      return { point, labelY };
    });
}

const replacements: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** A text that is shown as it is, in content and in attributes. */
function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => replacements[sign] ?? sign);
}
