import type { PageView } from "./line-page.ts";

/** What stands behind a page: where to go on, and what cannot be seen of the text. */
export function pageNotes(view: PageView, bytes: number, isWhole: boolean): string {
  const notes: string[] = [];
  const total = isWhole ? `${view.seenLines}` : `more (the file has ${bytes} bytes)`;
  const isMore = !isWhole || view.lastLine < view.seenLines;
  if (isMore || view.firstLine > 1) notes.push(`Lines ${view.firstLine} to ${view.lastLine} of ${total}.`);
  if (isMore) notes.push(`Go on with offset ${view.lastLine + 1}.`);
  if (view.crlfLines > 0) {
    const which = view.lfLines === 0 ? "Lines end with CRLF" : `${view.crlfLines} of the lines end with CRLF`;
    notes.push(`${which}, shown without the CR; Edit keeps it, and takes LF for it.`);
  }
  if (isWhole && !isMore && !view.hasFinalNewline) notes.push("The last line has no line end.");
  return notes.length > 0 ? `\n[${notes.join(" ")}]` : "";
}
