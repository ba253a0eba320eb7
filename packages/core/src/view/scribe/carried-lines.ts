import { breakFrames, shortId } from "../quote-foreign.ts";
import type { Piece } from "./piece.ts";
import type { SessionReading } from "./read-session.ts";

/** Where a summary of the scribe's has the user's messages: before it, every line is the scribe's own. */
const userMessages = "\n## 6. All user messages\n";
const pendingTasks = "\n## 7. Pending tasks\n";

/**
 * The lines below a label in summaries of the scribe's own, oldest first. What the user's messages say, or plans, is
 * never taken for a label.
 */
export function linesBelow(
  { ownSummaries }: SessionReading,
  label: string,
  section: "before-messages" | "tasks" = "before-messages",
): readonly string[] {
  const lines = ownSummaries.flatMap((whole) => {
    const text = section === "tasks" ? afterMessages(whole) : beforeMessages(whole);
    const at = text.indexOf(`\n${label}\n`);
    if (at === -1) return [];
    const below = text.slice(at + label.length + 2).split("\n");
    const end = below.findIndex((line) => !line.startsWith("- "));
    return end === -1 ? below : below.slice(0, end);
  });
  return [...new Set(lines.map(breakFrames))];
}

function beforeMessages(text: string): string {
  const at = text.indexOf(userMessages);
  return at === -1 ? text : text.slice(0, at);
}

function afterMessages(text: string): string {
  const at = text.indexOf(pendingTasks);
  return at === -1 ? "" : text.slice(at);
}

/**
 * Those lines as pieces: what is no longer in the view and in no ledger is carried on from summary to summary. Lines
 * that end with the id of a call in the view are left out.
 */
export function carriedLines(
  reading: SessionReading,
  label: string,
  section: "before-messages" | "tasks" = "before-messages",
): readonly Piece[] {
  const known = new Set(reading.calls.map(({ id }) => shortId(id)));
  const isKnown = (line: string) => known.has(line.slice(line.lastIndexOf(" ") + 1));
  return linesBelow(reading, label, section)
    .filter((line) => !isKnown(line))
    .map((line) => ({ label, levels: [line] }));
}
