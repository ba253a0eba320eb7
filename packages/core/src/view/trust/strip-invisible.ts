/** Terminal sequences, whole: their letters would stay behind when only the escape character goes. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const terminalSequences = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[@-Z\\-_])/g;
const lineSeparators = /\r\n?|[\u2028\u2029\u0085\v\f]/g;

/** Zero-width, bidi, tags, variation selectors, fillers: everything that is drawn as nothing or moves what is drawn. */
const invisible = /[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Co}\p{Noncharacter_Code_Point}]|[^\P{Cc}\n\t]/gu;
const blanks = /[\u2800\u{1d159}]/gu;

/**
 * The text without what a person does not see: what is read is what is there. Line separators become line feeds, halves
 * of characters U+FFFD. Joined emoji fall apart and joiners of some scripts are lost: that is the price. Idempotent.
 */
export function stripInvisible(text: string): string {
  return text
    .toWellFormed()
    .replace(terminalSequences, "")
    .replace(lineSeparators, "\n")
    .replace(invisible, "")
    .replace(blanks, " ");
}
