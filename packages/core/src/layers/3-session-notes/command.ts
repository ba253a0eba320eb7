import type { NotesAuthor } from "../../spec/index.ts";
import type { NotesInput } from "./rules/index.ts";

/** One update of the notes, with all that it was decided on. */
export interface NotesCommand {
  /** Who writes; where no model is to be had after all, the scribe does. */
  readonly by: NotesAuthor;
  readonly question: NotesInput;
  /** The session has an Edit: the model edits a file instead of answering with the sections. */
  readonly canEdit: boolean;
  /** The last message that will be in them. */
  readonly covers: string;
  readonly coversSeq: number;
  readonly tokensAt: number;
  /** The sequence number it was decided on. */
  readonly basis: number;
  readonly reason: string;
}
