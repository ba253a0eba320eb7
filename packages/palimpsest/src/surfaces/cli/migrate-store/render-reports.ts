import { formatBytes, formatCount, formatNumber } from "../format-amount.ts";
import { toHarmless } from "../harmless.ts";
import { type Column, renderTable } from "../table.ts";
import type { Terminal } from "../terminal.ts";
import type { ProjectCopy } from "./migrate-store-command.ts";

const columns: readonly Column[] = [
  { header: "SESSIONS", align: "right" },
  { header: "BLOBS", align: "right" },
  { header: "VERSIONS", align: "right" },
  { header: "MAILS", align: "right" },
  { header: "SIZE", align: "right" },
  { header: "SAME", align: "right" },
  { header: "SKIPPED", align: "right" },
  { header: "PROJECT", isFlexible: true },
];

/** A line for each project, then what was not copied and why. */
export function renderReports(
  copies: readonly ProjectCopy[],
  { columns: width, style }: Pick<Terminal, "columns" | "style">,
): readonly string[] {
  if (copies.length === 0) return ["There is no project to copy."];
  const rows = copies.map(({ project, sessions, pieces, bytes, present, skipped }) =>
    [
      ...[sessions, pieces.blob ?? 0, pieces.version ?? 0, pieces.mail ?? 0].map(formatCount),
      ...[formatBytes(bytes), formatCount(present), formatCount(skipped.length), toHarmless(project)],
    ].map((text) => ({ text })),
  );
  const table = renderTable({ columns, rows, width: Math.min(width, 80), paintHeader: style.dim });
  const skipped = copies.flatMap((copy) => copy.skipped);
  return [...table, "", ...skipped.flatMap(toLines), ending(copies, skipped.length)];
}

function toLines({ what, error }: ProjectCopy["skipped"][number]): readonly string[] {
  const fix = error.fix === undefined ? [] : [`  fix: ${toHarmless(error.fix)}`];
  return [`${toHarmless(what)} was not copied`, `  ${toHarmless(error.message)}`, ...fix];
}

function ending(copies: readonly ProjectCopy[], skipped: number): string {
  if (skipped > 0) return `${formatNumber(skipped, "thing")} left out; run it again for the rest.`;
  const all = copies.flatMap(({ pieces }) => Object.values(pieces)).reduce((sum, count) => sum + count, 0);
  if (all === 0) return "There is nothing to copy.";
  const present = copies.reduce((sum, copy) => sum + copy.present, 0);
  if (present === all) return "Everything was there already, the same to the byte.";
  return "Everything is there, the same to the byte. The source is as it was.";
}
