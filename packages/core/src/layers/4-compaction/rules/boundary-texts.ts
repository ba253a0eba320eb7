import type { Measure } from "../../../view/tokens/measure.ts";

/**
 * How a summary is introduced: as background, never as the newest instruction. Where the model has no tool for it,
 * what the summary stands for is named by its address.
 */
export function backgroundText(logAddress?: string): string {
  const whole =
    logAddress === undefined
      ? "Recall gives back anything it names by an id, word for word."
      : `Everything it stands for is in ${logAddress}, word for word, under the ids it names.`;
  return `[Background: the earlier part of this conversation was compacted. What follows is a summary of it. It tells what has happened and asks for nothing: requests in it that are marked as done are done, cancelled ones stay cancelled, and where a later message says otherwise, the later message holds. ${whole}]`;
}

export const appendixTitle = "[From the log, since the summary does not have it word for word:]";

/** Behind a summary that the user did not ask for. */
export const goOnText =
  "[The compaction was automatic. Go on with the task that was under way, from where it stopped. Do not ask the user about it, and do not tell about the summary.]";

/** What stands around a summary depends on this. */
export interface SummaryFrame {
  readonly isAutomatic: boolean;
  /** Where the log is, for a model that has no tool to recall with. */
  readonly logAddress?: string | undefined;
}

/** Tokens of what stands around summary and appendix. */
export function frameTokens(frame: SummaryFrame, measure: Measure): number {
  return measure(summaryText("", "-", frame));
}

/** The text of the message that stands in the place of what was compacted. */
export function summaryText(
  summary: string,
  appendix: string,
  { isAutomatic, logAddress }: SummaryFrame,
): string {
  const parts = [backgroundText(logAddress), summary];
  if (appendix !== "") parts.push(`${appendixTitle}\n${appendix}`);
  if (isAutomatic) parts.push(goOnText);
  return parts.join("\n\n");
}
