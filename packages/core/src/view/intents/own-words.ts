const fenced = /^[ \t]*(`{3,}(?!`)|~{3,}(?!~))[^\n]*\n[\s\S]*?(?:\n[ \t]*\1[`~]*[ \t]*(?=\n|$)|(?![\s\S]))/gm;
/** Behind an empty line, indented by four or more, and no point of a list. */
const indented = /(?<=\n[ \t]*\n)(?:(?: {4}|\t)[ \t]*(?![-*•+\s]|\d{1,3}[.)])[^\n]*(?:\n|$))+/g;
const inlineCode = /`[^`\n]*`/g;
const quotedLine = /^[ \t]*>[^\n]*$/gm;
const quoted =
  /"[^"\n]*"|“[^“”\n]*”|«[^«»\n]*»|「[^「」\n]*」|『[^『』\n]*』|(?<![\p{L}\p{N}])'[^'\n]*'(?![\p{L}\p{N}])/gu;
/** Lengths are bounded, so that a text full of openings costs no more than its length. */
const tagged = /<([a-z][\w-]{0,40})(?:\s[^<>\n]{0,200})?>[^<]*<\/\1>/gi;

/** Longer texts are looked at no further: what counts stands at the beginning or at the end. */
const maxChars = 20_000;

/**
 * A text in its author's own voice: without code, quotes and tagged parts, in lower case and with plain apostrophes.
 * For telling what a message means, never for showing.
 */
export function plainWords(text: string): string {
  const half = maxChars / 2;
  const whole = text.length <= maxChars ? text : `${text.slice(0, half)}\n${text.slice(-half)}`;
  return whole
    .replaceAll("\r\n", "\n")
    .replace(fenced, "\n")
    .replace(indented, "\n")
    .replace(inlineCode, " … ")
    .replace(quotedLine, "")
    .replaceAll("’", "'")
    .replace(quoted, " … ")
    .replace(tagged, " … ")
    .toLowerCase()
    .trim();
}

/** The same text with what is not its author's own voice blanked out, every character of the rest where it was. */
export function maskForeign(text: string): string {
  const blank = (found: string) => found.replaceAll(/[^\n]/g, " ");
  const hidden = (found: string) => found.replaceAll(/[^\n]/g, "□");
  return text
    .replace(fenced, blank)
    .replace(indented, blank)
    .replace(tagged, blank)
    .replace(quotedLine, blank)
    .replace(inlineCode, hidden)
    .replaceAll("’", "'")
    .replace(quoted, hidden);
}
