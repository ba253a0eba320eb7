export {
  type Appendix,
  type AppendixOptions,
  appendixPart,
  type BesideSummary,
  leastAppendixTokens,
  missingFromSummary,
  userMessagesPart,
} from "./missing-from-summary.ts";
export { maxNoteSectionTokens, maxNotesTokens } from "./notes-template.ts";
export type { ScribeInput } from "./piece.ts";
export { isRuleLike, summaryHeading } from "./read-session.ts";
export { writeNotes } from "./write-notes.ts";
export { writeSummary } from "./write-summary.ts";
