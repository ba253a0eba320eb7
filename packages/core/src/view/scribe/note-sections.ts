/** What a section of notes and the whole file stay under, where nobody says. */
export const maxNoteSectionTokens = 2_000;
export const maxNotesTokens = 12_000;
