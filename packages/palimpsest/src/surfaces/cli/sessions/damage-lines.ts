import { formatCount, formatNumber } from "../format-amount.ts";
import { toHarmless } from "../harmless.ts";
import type { Terminal } from "../terminal.ts";
import type { ShownTranscript } from "./shown-transcript.ts";
import type { Damage, TranscriptSummary } from "./transcript-summary.ts";

const maxShown = 8;

/** What is wrong with a transcript, where, and what to do; nothing where all is well. */
export function damageLines(shown: ShownTranscript, { style }: Terminal): readonly string[] {
  const { summary } = shown;
  const counts = damageCounts(summary);
  if (counts.length === 0 && summary.damages.length === 0 && summary.entries > 0) return [];
  const listed = summary.damages.slice(0, maxShown);
  const rest = summary.damages.length - listed.length;
  return [
    "",
    `  ${style.yellow(style.bold("damage"))}        ${style.yellow(counts.join(", ") || "no entry can be read")}`,
    ...listed.map(
      (damage) => `    ${style.dim(placeOf(damage).padEnd(20))}${damage.kind}: ${toHarmless(damage.reason)}`,
    ),
    ...(rest > 0 ? [`    and ${formatCount(rest)} more; --json lists them`] : []),
    `  ${style.bold("fix")}           ${fixFor(shown)}`,
  ];
}

function damageCounts(summary: TranscriptSummary): readonly string[] {
  const counts: string[] = [];
  if (summary.corrupt > 0) counts.push(formatNumber(summary.corrupt, "corrupt line"));
  if (summary.fenced > 0) counts.push(formatNumber(summary.fenced, "fenced line"));
  if (summary.torn > 0) counts.push(`an unfinished last line of ${formatNumber(summary.tornBytes, "byte")}`);
  if (summary.salvaged > 0)
    counts.push(`${formatNumber(summary.salvaged, "entry", "entries")} found inside damaged lines`);
  if (summary.fenced === 0 && summary.skipped > 0) counts.push(formatNumber(summary.skipped, "skipped line"));
  if (summary.duplicates > 0) counts.push(formatNumber(summary.duplicates, "duplicate"));
  return counts;
}

function placeOf({ line, offset }: Damage): string {
  if (offset !== undefined) return `byte ${formatCount(offset)}`;
  return line === undefined ? "" : `line ${formatCount(line)}`;
}

function fixFor({ isOwnPlace, session, summary }: ShownTranscript): string {
  const id = toHarmless(session ?? "");
  if (isOwnPlace && summary.entries === 0) {
    return `nothing in it can be saved; to remove it: palimpsest sessions delete ${id}`;
  }
  const isLive = summary.torn > 0 && summary.corrupt + summary.fenced + summary.salvaged === 0;
  const unless = isLive ? "nothing if it is being written right now; else " : "";
  if (isOwnPlace) return `${unless}palimpsest sessions repair ${id}`;
  return "nothing to do: all that can be read was read, and the file was not changed";
}
