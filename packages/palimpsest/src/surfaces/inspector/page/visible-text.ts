/** What changes the order or the look of text without being seen. The joiners that scripts and emoji need stay. */
const unseen = /(?!\u200c|\u200d|[\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

const controlPictures = 0x2400;

/** The text with every unseen character made visible; tabs and line breaks stay. */
export function toVisible(text: string): string {
  return text.replaceAll("\r\n", "\n").toWellFormed().replace(unseen, picture);
}

/** The same on one line. */
export function toVisibleLine(text: string): string {
  return toVisible(text).replace(/\s+/g, " ").trim();
}

function picture(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x20) return String.fromCodePoint(controlPictures + code);
  if (code === 0x7f) return "\u2421";
  return `⟨U+${code.toString(16).toUpperCase().padStart(4, "0")}⟩`;
}
