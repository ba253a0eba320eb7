/** The sections of session notes. Headings and descriptions are fixed; only what is under them changes. */
export const noteSections = [
  { heading: "Title", about: "The session in five to ten words." },
  { heading: "Current state", about: "What is being worked on, what is pending, what comes next." },
  { heading: "What was asked", about: "The user's requests in their own words, with what became of each." },
  {
    heading: "Files and functions",
    about: "The files that matter, what was done to them, and what they hold.",
  },
  { heading: "Workflow", about: "The commands that are run, and how to read what they print." },
  { heading: "Errors and corrections", about: "What failed, what followed, and what the user put right." },
  { heading: "The system and how it fits together", about: "The parts of the project and how they connect." },
  { heading: "Learnings", about: "What works, what does not, and rules to keep to." },
  { heading: "Key results", about: "What was found out or handed over, as it was said." },
  { heading: "Worklog", about: "What was done, step by step, in few words." },
] as const;

/** What a section of notes and the whole file stay under. */
export const maxNoteSectionTokens = 2_000;
export const maxNotesTokens = 12_000;
