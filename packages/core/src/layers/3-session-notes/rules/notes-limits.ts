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

/** What has more tokens than this part of its limit: with 1, what is over it. */
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
