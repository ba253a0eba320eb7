import { type Facts, fail, ok, type Result } from "../../../spec/index.ts";
import {
  defaultNotesTemplate,
  descriptionLine,
  headingLine,
  type NotesTemplate,
  parseTemplate,
} from "../../../view/scribe/notes-template.ts";

/** Texts under the headings, by heading. */
export type NotesBodies = ReadonlyMap<string, string>;

/**
 * Reads the texts under the template's headings. The first place of a heading counts, a later one is text; what stands
 * before all headings is passed over. Total.
 */
export function parseNotes(text: string, { sections }: NotesTemplate): NotesBodies {
  const byLine = new Map(sections.map((section) => [headingLine(section), section]));
  const found = new Map<string, string[]>();
  let current: string[] = [];
  for (const line of text.toWellFormed().split(/\r?\n/)) {
    const section = byLine.get(line.trimEnd());
    if (section && !found.has(section.heading)) {
      current = [];
      found.set(section.heading, current);
    } else current.push(line);
  }
  const bodies = sections.flatMap((section) => {
    const lines = found.get(section.heading);
    return lines ? [[section.heading, bodyOf(lines, descriptionLine(section))] as const] : [];
  });
  return new Map(bodies);
}

function bodyOf(lines: readonly string[], description: string): string {
  const first = lines.findIndex((line) => line.trim() !== "");
  const isDescribed = first !== -1 && lines[first]?.trim() === description;
  return lines
    .slice(isDescribed ? first + 1 : Math.max(0, first))
    .join("\n")
    .replaceAll(/^(?:[^\S\n]*\n)+|\s+$/g, "");
}

/** The notes as a file: every section of the template, whether anything stands under it or not. */
export function renderNotes({ sections }: NotesTemplate, bodies: NotesBodies): string {
  const headings = new Set(sections.map(headingLine));
  const escaped = (body: string) =>
    body
      .split("\n")
      .map((line) => (headings.has(line.trimEnd()) ? ` ${line}` : line))
      .join("\n");
  const parts = sections.map((section) => {
    const body = bodies.get(section.heading) ?? "";
    const head = `${headingLine(section)}\n${descriptionLine(section)}\n`;
    return body === "" ? head : `${head}\n${escaped(body)}\n`;
  });
  return parts.join("\n");
}

/**
 * The former notes with what an update says under the headings. Headings and descriptions are the template's whatever
 * became of them, and a section that the update has lost stays as it was.
 */
export function mergeNotes(template: NotesTemplate, former: string, update: string): Result<string> {
  const given = parseNotes(update, template);
  if (given.size === 0)
    return fail("malformed-response", "What was written has none of the notes' headings.", {
      fix: "Nothing: the notes stay as they were, and the next update tries again.",
    });
  return ok(renderNotes(template, new Map([...parseNotes(former, template), ...given])));
}

/** Whether anything stands under any heading. */
export function hasNotes(text: string, template: NotesTemplate): boolean {
  return [...parseNotes(text, template).values()].some((body) => body !== "");
}

/** The notes as a summary reads them: sections with something in them, without the descriptions. */
export function notesSummary(text: string, template: NotesTemplate): string {
  const bodies = [...parseNotes(text, template)].filter(([, body]) => body !== "");
  return bodies.map(([heading, body]) => `## ${heading}\n\n${body}`).join("\n\n");
}

/** A session in a list: the first line of its first section, and its second section. */
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

/** The template in force. Total: settings are checked when they are read, and what is no template is passed over. */
export function notesTemplateOf({ settings }: Pick<Facts, "settings">): NotesTemplate {
  const { template } = (settings.sessionNotes ?? {}) as { readonly template?: unknown };
  const parsed = typeof template === "string" ? parseTemplate(template) : undefined;
  return parsed?.ok ? parsed.value : defaultNotesTemplate;
}
