import { breakFrames, shortId } from "../quote-foreign.ts";
import type { Piece } from "./piece.ts";
import type { SessionReading } from "./read-session.ts";

/** Where a summary of the scribe's has the user's messages: before it, every line is the scribe's own. */
export const messagesTitle = "## 9. All user messages and the plan, word for word";

/**
 * The lines below a label in summaries of the scribe's own, oldest first. What the user's messages say, or plans, is
 * never taken for a label.
 */
export function linesBelow({ ownSummaries }: SessionReading, label: string): readonly string[] {
  const lines = ownSummaries.flatMap((whole) => {
    const end = whole.indexOf(`\n${messagesTitle}\n`);
    const text = end === -1 ? whole : whole.slice(0, end);
    const at = text.indexOf(`\n${label}\n`);
    if (at === -1) return [];
    const below = text.slice(at + label.length + 2).split("\n");
    const last = below.findIndex((line) => !line.startsWith("- "));
    return last === -1 ? below : below.slice(0, last);
  });
  return [...new Set(lines.map(breakFrames))];
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
