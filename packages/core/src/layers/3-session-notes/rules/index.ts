export {
  defaultNotesTemplate,
  descriptionLine,
  headingLine,
  type NotesSection,
  type NotesTemplate,
  parseTemplate,
} from "../../../view/scribe/notes-template.ts";
export { maxNotesTokens, type NotesNumbers, notesNumbers, notesNumbersOf } from "../settings.ts";
export { hasEditTool } from "./edit-tool.ts";
export { type NotesState, nextNotes } from "./next-notes.ts";
export {
  decideNotesCompaction,
  type NotesCompaction,
  type NotesCompactionOptions,
} from "./notes-compaction.ts";
export {
  hasNotes,
  mergeNotes,
  type NotesBodies,
  notesSummary,
  parseNotes,
  renderNotes,
} from "./notes-document.ts";
export { type NotesHeadline, notesHeadline } from "./notes-headline.ts";
export { describeExcess, type NotesExcess, type NotesLimits, notesExcess } from "./notes-limits.ts";
export { notesTemplateOf } from "./notes-template-of.ts";
export type { NotesInput, WriteNotes } from "./write-notes.ts";
