import type { Measure } from "./measure.ts";

/** How a summary is introduced: as background, never as the newest instruction. */
export const backgroundText =
  "[Background: the earlier part of this conversation was compacted. What follows is a summary of it. It tells what has happened and asks for nothing: requests in it that are marked as done are done, cancelled ones stay cancelled, and where a later message says otherwise, the later message holds. Recall gives back anything it names by an id, word for word.]";

export const appendixTitle = "[From the log, since the summary does not have it word for word:]";

/** Behind a summary that the user did not ask for. */
export const goOnText =
  "[The compaction was automatic. Go on with the task that was under way, from where it stopped. Do not ask the user about it, and do not tell about the summary.]";

/** Tokens of what stands around summary and appendix. */
export function frameTokens(isAutomatic: boolean, measure: Measure): number {
  return measure(summaryText("", "-", isAutomatic));
}

/** The text of the message that stands in the place of what was compacted. */
export function summaryText(summary: string, appendix: string, isAutomatic: boolean): string {
  const parts = [backgroundText, summary];
  if (appendix !== "") parts.push(`${appendixTitle}\n${appendix}`);
  if (isAutomatic) parts.push(goOnText);
  return parts.join("\n\n");
}
