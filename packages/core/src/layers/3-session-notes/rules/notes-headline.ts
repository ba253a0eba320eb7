import { defaultNotesTemplate, type NotesTemplate } from "../../../view/scribe/notes-template.ts";
import { parseNotes } from "./notes-document.ts";

/** What a list of sessions says of one: the first line of its first section, and its second section. */
export interface NotesHeadline {
  readonly title?: string;
  readonly state?: string;
}

/** Nothing where the sections are empty. */
export function notesHeadline(text: string, template: NotesTemplate = defaultNotesTemplate): NotesHeadline {
  const bodies = parseNotes(text, template);
  const [first, second] = template.sections.map(({ heading }) => bodies.get(heading) ?? "");
  const title = first?.split("\n")[0]?.trim();
  return { ...(title && { title }), ...(second && { state: second }) };
}
