import type { Ledgers, ViewItem } from "../../../spec/index.ts";
import type { NotesTemplate } from "../../../view/scribe/notes-template.ts";
import type { NotesLimits } from "./notes-limits.ts";

/** All that notes can be written from without a model. */
export interface NotesInput extends NotesLimits {
  readonly template: NotesTemplate;
  /** The notes as they are: every section of the template, with nothing under them before the first update. */
  readonly former: string;
  readonly items: readonly ViewItem[];
  readonly ledgers: Ledgers;
}

/**
 * The scribe's part: the whole notes, or those sections that it has something to say about, under the template's
 * headings (`## heading`). Deterministic, and within the limits; what is over them is not taken.
 */
export type WriteNotes = (question: NotesInput) => string;
