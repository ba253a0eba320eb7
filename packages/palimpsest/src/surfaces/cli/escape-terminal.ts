/**
 * Characters that must not reach a terminal as they are: controls, which move the cursor and forge lines; marks that
 * change the direction of text or cannot be seen. The joiners that scripts and emoji need stay.
 */
const harmful = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

const space = 0x20;
const firstPicture = 0x2400;
const deletePicture = "\u2421";

/** One line of text that a terminal shows and does not obey. White space is kept as single spaces. */
export function escapeTerminal(text: string): string {
  return text.replace(/\s+/g, " ").replace(harmful, picture);
}

function picture(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code < space) return String.fromCodePoint(firstPicture + code);
  if (code === 0x7f) return deletePicture;
  const digits = code.toString(16);
  return code <= 0xff
    ? `\\x${digits.padStart(2, "0")}`
    : `\\u${code > 0xffff ? `{${digits}}` : digits.padStart(4, "0")}`;
}

const harmfulInJson = /[\u007f-\u009f]|(?![\u200c\u200d])[\p{Cf}\p{Zl}\p{Zp}]/gu;

/** A JSON document that is also safe to look at: the same value, with more of it escaped than JSON asks for. */
export function toJson(value: unknown): string {
  return `${escapeHarmful(JSON.stringify(value, null, 2))}\n`;
}

/** As `toJson`, on one line: for answers that come one by one. */
export function toJsonLine(value: unknown): string {
  return `${escapeHarmful(JSON.stringify(value))}\n`;
}

function escapeHarmful(json: string): string {
  return json.replace(harmfulInJson, (character) =>
    [...Array(character.length).keys()]
      .map((index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, "0")}`)
      .join(""),
  );
}
