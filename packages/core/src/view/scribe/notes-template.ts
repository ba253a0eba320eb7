import { fail, ok, type Result } from "../../spec/index.ts";

export interface NotesSection {
  readonly heading: string;
  /** One line: what belongs there. */
  readonly description: string;
}

/** The structure of notes. Headings and descriptions are fixed; only what stands under them changes. */
export interface NotesTemplate {
  readonly sections: readonly NotesSection[];
}

/** More sections than this are no notes but a form. */
const maxSections = 20;

const headingMark = "## ";
const descriptionMark = "> ";

export const headingLine = ({ heading }: NotesSection) => `${headingMark}${heading}`;
export const descriptionLine = ({ description }: NotesSection) => `${descriptionMark}${description}`;

/** The template unless somebody brings another. */
export const defaultNotesTemplate: NotesTemplate = {
  sections: [
    { heading: "Title", description: "What this session is about, in 5 to 10 words." },
    {
      heading: "Current state",
      description: "What is being worked on now, what is unfinished, and the very next step.",
    },
    {
      heading: "Request",
      description:
        "What the user asked for, with every limit and choice they named, word for word where it counts.",
    },
    {
      heading: "Files and functions",
      description: "The files and functions that matter: what is in them, and why they matter.",
    },
    {
      heading: "Workflow",
      description: "Commands that are run, in which order, and how to read what they print.",
    },
    {
      heading: "Errors and corrections",
      description: "What failed and how it was mended, what the user corrected, and what not to try again.",
    },
    { heading: "System", description: "The parts of the system and how they fit together." },
    { heading: "Learnings", description: "What works, what does not, and what to keep away from." },
    {
      heading: "Key results",
      description: "Answers, tables and texts that the user wanted, exactly as they were given.",
    },
    { heading: "Worklog", description: "What was done, step by step, a short line each." },
  ],
};

/** Reads a template that a person wrote: `## heading`, then one line `> description`, for each section. */
export function parseTemplate(text: string): Result<NotesTemplate> {
  const sections: NotesSection[] = [];
  let heading: string | null = null;
  for (const [index, given] of text.split(/\r?\n/).entries()) {
    const line = given.trim();
    if (line === "") continue;
    if (heading === null && line.startsWith(headingMark)) heading = line.slice(headingMark.length).trim();
    else if (heading !== null && line.startsWith(descriptionMark)) {
      sections.push({ heading, description: line.slice(descriptionMark.length).trim() });
      heading = null;
    } else return refuse(`line ${index + 1} is “${line.slice(0, 60)}”`);
  }
  if (heading !== null) return refuse(`“${heading}” has no description`);
  return checkSections(sections);
}

function checkSections(sections: readonly NotesSection[]): Result<NotesTemplate> {
  if (sections.length === 0) return refuse("it has no section");
  if (sections.length > maxSections) return refuse(`it has ${sections.length} sections, over ${maxSections}`);
  if (sections.some(({ heading, description }) => heading === "" || description === ""))
    return refuse("a heading or a description is empty");
  const names = new Set(sections.map(({ heading }) => heading));
  if (names.size < sections.length) return refuse("two sections have the same heading");
  return ok({ sections });
}

function refuse(what: string): Result<never> {
  return fail("invalid-input", `The template of the session notes cannot be used: ${what}.`, {
    path: "sessionNotes.template",
    fix: "Write “## heading” and behind it one line “> what belongs there” for each section, and nothing else.",
  });
}

/** The default limits of a section of notes and of the whole file. */
export const maxNoteSectionTokens = 2_000;
export const maxNotesTokens = 12_000;
