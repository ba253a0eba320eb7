import type { LostBlob, RepairReport } from "@palimpsest/core/spec";
import { orThrow } from "../../local/or-throw.ts";
import { findSession } from "../../local/sessions/find-session.ts";
import { openSessionLocations } from "../../local/sessions/session-locations.ts";
import type { CommandContext } from "../../local/terminal.ts";
import { escapeTerminal, toJson } from "../../terminal/escape-terminal.ts";
import { formatNumber } from "../../terminal/format-amount.ts";

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
  const locations = await openSessionLocations(context);
  const { session, store } = orThrow(await findSession(locations, named, options.project));
  const { signal } = terminal;
  const { takeOver } = options;
  const report = options.dryRun
    ? orThrow(await store.upkeep.planRepair(session, signal))
    : orThrow(await store.upkeep.repair(session, { takeOver, signal }));
  const { dryRun = false } = options;
  const isLogDamaged = report.rewritten || report.tornBytes > 0 || report.bytesBefore !== report.bytesAfter;
  const isRepaired = isLogDamaged || report.lostBlobs.some(isPutBack);
  if (options.json) return terminal.write(toJson({ ...report, repaired: isRepaired && !dryRun, dryRun }));
  const lines = [
    ...(isLogDamaged ? reportLines(report, dryRun) : []),
    ...(report.lostBlobs.length > 0 ? lostLines(report, dryRun) : []),
  ];
  await terminal.write(`${(lines.length > 0 ? lines : [nothingToDo(report)]).join("\n")}\n`);
}

function lostLines({ session, lostBlobs }: RepairReport, isPlan: boolean): readonly string[] {
  const count = formatNumber(lostBlobs.length, "blob");
  return [
    `Lost or damaged in ${escapeTerminal(session)}: ${count} that its entries stand on.`,
    ...lostBlobs.map((lost) => {
      const { blob, bytes, what, why, isUnreadable } = lost;
      const size = bytes === undefined ? "" : `, ${formatNumber(bytes, "byte")}`;
      const end = isUnreadable ? `it cannot be read. ${why} ${endOf(lost, isPlan)}` : endOf(lost, isPlan);
      return `  ${escapeTerminal(`${what} (${blob}${size}): ${end}`)}`;
    }),
    ...(lostBlobs.every(isPutBack) ? [] : [whatToDo]),
  ];
}

const isPutBack = ({ copyIn, notPutBack }: LostBlob) => copyIn !== undefined && notPutBack === undefined;

function endOf({ copyIn, notPutBack }: LostBlob, isPlan: boolean): string {
  if (copyIn === undefined) return "no copy was found";
  if (notPutBack !== undefined)
    return `there is a copy in ${copyIn}, which cannot be put back: ${notPutBack}`;
  return `${isPlan ? "would be put back" : "put back"} from ${copyIn}`;
}

const whatToDo =
  "  Put the files back from a backup, or give system prompt and tools anew when the session is opened. What is gone for good keeps no session from opening: it says what is missing.";

function nothingToDo({ session, entries }: RepairReport): string {
  return `Nothing to repair: all ${formatNumber(entries, "entry", "entries")} of ${escapeTerminal(session)} are whole.`;
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
    `${isPlan ? "Would repair" : "Repaired"} ${escapeTerminal(session)}: ${what}.`,
    `  in force: ${formatNumber(entries, "entry", "entries")}, none changed`,
    ...asides.map((aside) => `  ${isPlan ? "would be kept in" : "kept in"}: ${escapeTerminal(aside)}`),
  ];
}
