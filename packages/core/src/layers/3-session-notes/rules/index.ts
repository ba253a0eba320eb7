export {
  defaultNotesTemplate,
  descriptionLine,
  headingLine,
  type NotesSection,
  type NotesTemplate,
  parseTemplate,
} from "../../../view/scribe/notes-template.ts";
export { maxNotesTokens, type NotesNumbers, notesNumbers, notesNumbersOf } from "../settings.ts";
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
  type NotesHeadline,
  notesHeadline,
  notesSummary,
  notesTemplateOf,
  parseNotes,
  renderNotes,
} from "./notes-document.ts";
export { describeExcess, type NotesExcess, type NotesLimits, notesExcess } from "./notes-limits.ts";
export type { NotesInput, WriteNotes } from "./write-notes.ts";
export { hasEditTool } from "./write-notes.ts";
