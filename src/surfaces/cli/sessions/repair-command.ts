import type { RepairReport } from "../../../spec/index.ts";
import { formatNumber } from "../format-amount.ts";
import { toHarmless, toJson } from "../harmless.ts";
import { orThrow } from "../or-throw.ts";
import type { CommandContext } from "../terminal.ts";
import { findSession } from "./find-session.ts";
import { openSessionPlaces } from "./session-places.ts";

export interface RepairOptions {
  readonly dryRun?: boolean;
  readonly takeOver?: boolean;
  readonly project?: string;
  readonly json?: boolean;
}

export async function runRepair(
  context: CommandContext,
  named: string,
  options: RepairOptions,
): Promise<void> {
  const { terminal } = context;
  const places = await openSessionPlaces(context);
  const { session, store } = orThrow(await findSession(places, named, options.project));
  const { signal } = terminal;
  const { takeOver } = options;
  const report = options.dryRun
    ? orThrow(await store.upkeep.planRepair(session, signal))
    : orThrow(await store.upkeep.repair(session, { takeOver, signal }));
  const isNeeded = report.rewritten || report.tornBytes > 0 || report.bytesBefore !== report.bytesAfter;
  if (options.json)
    return terminal.write(
      toJson({ ...report, repaired: isNeeded && !options.dryRun, dryRun: options.dryRun ?? false }),
    );
  const lines = isNeeded ? reportLines(report, options.dryRun ?? false) : [nothingToDo(report)];
  await terminal.write(`${lines.join("\n")}\n`);
}

function nothingToDo({ session, entries }: RepairReport): string {
  return `Nothing to repair: all ${formatNumber(entries, "entry", "entries")} of ${toHarmless(session)} are whole.`;
}

function reportLines(report: RepairReport, isPlan: boolean): readonly string[] {
  const { session, entries, salvaged, tornBytes, corruptLines, fencedLines, asides } = report;
  const found = [
    ...(corruptLines > 0 ? [formatNumber(corruptLines, "corrupt line")] : []),
    ...(fencedLines > 0 ? [formatNumber(fencedLines, "fenced line")] : []),
    ...(tornBytes > 0 ? [`an unfinished last line of ${formatNumber(tornBytes, "byte")}`] : []),
    ...(salvaged > 0
      ? [`${formatNumber(salvaged, "entry", "entries")} in lines that were not their own`]
      : []),
  ];
  const what = found.length > 0 ? found.join(", ") : "a last line that lacked only its end";
  return [
    `${isPlan ? "Would repair" : "Repaired"} ${toHarmless(session)}: ${what}.`,
    `  in force: ${formatNumber(entries, "entry", "entries")}, none changed`,
    ...asides.map((aside) => `  ${isPlan ? "would be kept in" : "kept in"}: ${toHarmless(aside)}`),
  ];
}
