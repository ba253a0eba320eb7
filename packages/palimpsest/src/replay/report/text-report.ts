import { paretoPoints, paretoText } from "./pareto-points.ts";
import type { ReplayReport, ReportTable } from "./replay-report.ts";
import { reportTables, sessionLines } from "./report-tables.ts";

/** The report for a terminal, line by line; texts of sessions are as they were. */
export function textReport(report: ReplayReport): readonly string[] {
  const lines = [...sessionLines(report), ""];
  if (report.sessions.measured === 0) return [...lines, "No session could be measured."];
  for (const table of reportTables(report)) lines.push(...tableLines(table), "");
  lines.push("Cost against survival", ...paretoText(paretoPoints(report)));
  return lines;
}

function tableLines({ title, head, rows, notes }: ReportTable): readonly string[] {
  const widths = head.map((name, at) => Math.max(name.length, ...rows.map((row) => (row[at] ?? "").length)));
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0)))
      .join("  ")
      .trimEnd();
  return [title, line(head), ...rows.map(line), ...notes];
}
