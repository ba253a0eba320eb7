import type { SessionStatistics } from "../../../spec/index.ts";
import type { NotesTemplate } from "../../../view/scribe/notes-template.ts";
import { estimateContent } from "../../../view/tokens/index.ts";
import { parseNotes } from "./notes-document.ts";

export interface NotesLimits {
  readonly sectionTokens: number;
  readonly fileTokens: number;
}

/** A section, or the whole file, and how many tokens it has; the limit is the most it may have. */
export interface NotesExcess {
  readonly what: string;
  readonly tokens: number;
  readonly limit: number;
}

/** Sections with more tokens than this part of their limit: with 1, those over it. */
export function notesExcess(
  text: string,
  template: NotesTemplate,
  { sectionTokens, fileTokens }: NotesLimits,
  part = 1,
): readonly NotesExcess[] {
  const sections = [...parseNotes(text, template)].map(([heading, body]) => ({
    what: `the section “${heading}”`,
    tokens: estimateContent(body),
    limit: sectionTokens,
  }));
  const whole = { what: "the whole file", tokens: estimateContent(text), limit: fileTokens };
  return [...sections, whole].filter(({ tokens, limit }) => tokens > limit * part);
}

/** For people and models: `the section “Worklog” has 2301 tokens, at most 2000 are allowed`. */
export function describeExcess(excess: readonly NotesExcess[]): string {
  return excess
    .map(({ what, tokens, limit }) => `${what} has ${tokens} tokens, at most ${limit} are allowed`)
    .join("; ");
}

/**
 * Why the next update must wait for the budget; `null` where it need not. Updates may cost a part of what the session has
 * cost, its forks included. Once they have cost more, the interval widens: the next one waits until the session itself has
 * spent so much that they are within it again.
 */
export function overBudget(
  { dollars, forkDollars = {} }: Pick<SessionStatistics, "dollars" | "forkDollars">,
  budgetPercent: number,
): string | null {
  const spent = forkDollars.notes ?? 0;
  const all = Object.values(forkDollars).reduce((sum, one) => sum + one, dollars);
  if (spent * 100 <= all * budgetPercent) return null;
  const percent = Math.ceil((spent / all) * 100);
  return `notes have cost ${percent} % of the session, over ${budgetPercent} %`;
}
