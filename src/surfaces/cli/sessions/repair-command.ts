import type { LogReport } from "../../../spec/index.ts";
import { hasLinesToTakeOut, type RepairReport, repairSession } from "../../../stores/files/repair-session.ts";
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
  const { session, path, store } = orThrow(await findSession(places, named, options.project));
  const { signal } = terminal;
  const { takeOver } = options;
  const report = options.dryRun
    ? plannedRepair(session, path, orThrow(await store.logs.scan(session, () => undefined, { signal })))
    : orThrow(await repairSession({ ...places, ...store }, session, { takeOver, signal }));
  const isNeeded = report.rewritten || report.tornBytes > 0 || report.bytesBefore !== report.bytesAfter;
  if (options.json)
    return terminal.write(
      toJson({ ...report, repaired: isNeeded && !options.dryRun, dryRun: options.dryRun ?? false }),
    );
  const lines = isNeeded ? reportLines(report, options.dryRun ?? false) : [nothingToDo(report)];
  await terminal.write(`${lines.join("\n")}\n`);
}

/** What a repair would find; a last line that lacks only its newline counts as unfinished here. */
function plannedRepair(session: string, path: string, report: LogReport): RepairReport {
  const { entries, salvaged, tornBytes, corruptLines, corruptBytes, fencedLines, fencedBytes, damages, end } =
    report;
  const rewritten = hasLinesToTakeOut(report);
  const kinds = [
    ...(corruptLines > 0 ? ["corrupt"] : []),
    ...(fencedLines > 0 ? ["fenced"] : []),
    ...(tornBytes > 0 ? ["torn"] : []),
  ];
  return {
    session,
    path,
    entries,
    salvaged,
    tornBytes,
    corruptLines,
    corruptBytes,
    fencedLines,
    fencedBytes,
    damages,
    asides: kinds.map((kind) => `${path}.${kind}`),
    bytesBefore: end + tornBytes,
    bytesAfter: end,
    rewritten,
  };
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
