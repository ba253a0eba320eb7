import { paretoPoints, paretoText } from "./pareto-points.ts";
import type { ReplayReport, ReportTable } from "./replay-report.ts";
import { reportTables, sessionLines } from "./report-tables.ts";

/** The report as Markdown. Names of sessions and policies are escaped. */
export function markdownReport(report: ReplayReport): string {
  const sessions = sessionLines(report).map((line) => `- ${escapeMarkdown(line.trim())}`);
  const tables = report.sessions.measured === 0 ? [] : reportTables(report).flatMap(tableLines);
  const picture = ["## Cost against survival", "", "```text", ...paretoText(paretoPoints(report)), "```"];
  return `${["# Replay", "", ...sessions, "", ...tables, ...picture].join("\n")}\n`;
}

function tableLines({ title, head, rows, notes }: ReportTable): readonly string[] {
  const line = (cells: readonly string[]) => `| ${cells.map(escapeMarkdown).join(" | ")} |`;
  const rule = head.map((_, at) => (at === 0 ? "---" : "---:"));
  return [
    `## ${title}`,
    "",
    line(head),
    `| ${rule.join(" | ")} |`,
    ...rows.map(line),
    "",
    ...notes.flatMap((note) => [escapeMarkdown(note), ""]),
  ];
}

function escapeMarkdown(text: string): string {
  return text.replace(/[\\`*_{}[\]<>|]/g, (sign) => `\\${sign}`).replace(/[\r\n]+/g, " ");
}
