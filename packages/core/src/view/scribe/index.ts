export {
  type Appendix,
  type AppendixOptions,
  appendixPart,
  missingFromSummary,
  userMessagesPart,
} from "./missing-from-summary.ts";
export { maxNoteSectionTokens, maxNotesTokens } from "./note-sections.ts";
export { summaryHeading } from "./read-session.ts";
export { isRuleLike } from "./rule-like.ts";
export type { ScribeInput } from "./scribe-input.ts";
export { writeNotes } from "./write-notes.ts";
export { writeSummary } from "./write-summary.ts";
