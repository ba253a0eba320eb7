import type { Facts } from "../../../spec/index.ts";
import {
  defaultNotesTemplate,
  type NotesTemplate,
  parseTemplate,
} from "../../../view/scribe/notes-template.ts";

/** The template in force. Total: settings are checked when they are read, and what is no template is passed over. */
export function notesTemplateOf({ settings }: Pick<Facts, "settings">): NotesTemplate {
  const { template } = (settings.sessionNotes ?? {}) as { readonly template?: unknown };
  const parsed = typeof template === "string" ? parseTemplate(template) : undefined;
  return parsed?.ok ? parsed.value : defaultNotesTemplate;
}
