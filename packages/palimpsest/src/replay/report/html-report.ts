import { escapeHtml } from "./escape-html.ts";
import { paretoPoints } from "./pareto-points.ts";
import { paretoSvg } from "./pareto-svg.ts";
import type { ReplayReport } from "./replay-report.ts";
import type { ReportTable } from "./report-table.ts";
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
    "<p>Survival is a necessary-condition proxy: what a view does not hold cannot be used word for word. No answer was judged. The dashed line joins the policies of which nothing that was run costs less and keeps more.</p>",
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
