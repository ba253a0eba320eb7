import { resolve } from "node:path";
import { formatNumber } from "../format-amount.ts";
import { toHarmless } from "../harmless.ts";
import { orThrow } from "../or-throw.ts";
import type { CommandContext, Terminal } from "../terminal.ts";
import { type ExportReport, exportLog, exportMessages } from "./export-session.ts";
import { createFileSink, createOutputSink } from "./export-sink.ts";
import { findTranscript } from "./find-transcript.ts";
import type { TranscriptReport } from "./read-transcript.ts";
import { openSessionPlaces } from "./session-places.ts";

export interface ExportOptions {
  readonly out?: string;
  readonly format: "jsonl" | "messages";
  readonly force?: boolean;
  readonly project?: string;
}

export async function runExport(
  context: CommandContext,
  named: string,
  options: ExportOptions,
): Promise<void> {
  const { terminal, folder } = context;
  const places = await openSessionPlaces(context);
  const target = orThrow(await findTranscript(places, named, options.project));
  const path = options.out === undefined ? null : resolve(folder, options.out);
  const sink =
    path === null
      ? createOutputSink(terminal)
      : orThrow(await createFileSink(places.disk, places.ids, path, { force: options.force ?? false }));
  try {
    const write = options.format === "jsonl" ? exportLog : exportMessages;
    const report = orThrow(await write(target, terminal, sink));
    orThrow(await sink.commit());
    tell(report, options.format, path, terminal);
  } finally {
    await sink.discard();
  }
}

function tell(
  report: ExportReport,
  format: ExportOptions["format"],
  path: string | null,
  terminal: Terminal,
): void {
  const what =
    format === "jsonl"
      ? formatNumber(report.written, "entry", "entries")
      : formatNumber(report.written, "message");
  if (path !== null) terminal.say(`wrote ${what} to ${toHarmless(path)}`);
  for (const line of [...damageTold(report.reports), ...leftOutTold(report)]) terminal.say(line);
}

/** An export is of what is in force: damage is not part of it, and is not kept quiet. */
function damageTold(reports: readonly TranscriptReport[]): readonly string[] {
  const sum = (count: (report: TranscriptReport) => number) =>
    reports.reduce((total, one) => total + count(one), 0);
  const corrupt = sum((one) =>
    "log" in one ? one.log.corruptLines : one.imported.corrupt + one.imported.skipped,
  );
  const fenced = sum((one) => ("log" in one ? one.log.fencedLines : 0));
  const torn = sum((one) => ("log" in one ? Number(one.log.tornBytes > 0) : one.imported.torn));
  const lines = corrupt + fenced + torn;
  return lines === 0 ? [] : [`not part of it: ${formatNumber(lines, "damaged line")}`];
}

function leftOutTold({ leftOut, missing }: ExportReport): readonly string[] {
  const parts = Object.entries(leftOut).map(([what, count]) => `${count} ${what}`);
  const lost = missing.map((what) => `could not be read, and stays a reference: ${toHarmless(what)}`);
  return [...(parts.length > 0 ? [`not part of the conversation: ${parts.join(", ")}`] : []), ...lost];
}
