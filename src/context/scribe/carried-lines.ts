import { shortId } from "../short-id.ts";
import type { Piece } from "./piece.ts";
import type { SessionReading } from "./read-session.ts";

/** The lines below a label in summaries of the scribe's own, oldest first. */
export function linesBelow({ ownSummaries }: SessionReading, label: string): readonly string[] {
  const lines = ownSummaries.flatMap((text) => {
    const at = text.indexOf(`\n${label}\n`);
    if (at === -1) return [];
    const below = text.slice(at + label.length + 2).split("\n");
    const end = below.findIndex((line) => !line.startsWith("- "));
    return end === -1 ? below : below.slice(0, end);
  });
  return [...new Set(lines)];
}

/**
 * Those lines as pieces: what is no longer in the view and in no ledger is carried on from summary to summary. Lines
 * that end with the id of a call in the view are left out.
 */
export function carriedLines(reading: SessionReading, label: string): readonly Piece[] {
  const known = new Set(reading.calls.map(({ id }) => shortId(id)));
  const isKnown = (line: string) => known.has(line.slice(line.lastIndexOf(" ") + 1));
  return linesBelow(reading, label)
    .filter((line) => !isKnown(line))
    .map((line) => ({ label, levels: [line] }));
}
