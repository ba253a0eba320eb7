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

/** The same with every space in it, for values that a person compares or copies; other white space is shown as a sign. */
export function escapeExactly(text: string): string {
  return text.replace(harmful, picture);
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

/** Where the text goes: a screen is also kept from marks that turn the direction of text or cannot be seen. */
type TextLocation = "screen" | "pipe";

/** Controls other than line breaks and tabs. */
const controls = /(?![\n\t])\p{Cc}/gu;

/** Controls as above, and what else a screen must not obey. The joiners that scripts and emoji need stay. */
const harmfulInLines = /(?![\n\t\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/** Text of several lines that a terminal shows and does not obey. */
export function toHarmlessText(text: string, location: TextLocation): string {
  const lines = text.replaceAll("\r\n", "\n");
  return lines.replace(location === "screen" ? harmfulInLines : controls, toHarmlessCharacter);
}

/** White space among them is no space here: a lone return moves the cursor. */
function toHarmlessCharacter(character: string): string {
  return /\s/.test(character) ? controlPicture(character) : escapeTerminal(character);
}

function controlPicture(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return code < 0x20 ? String.fromCodePoint(0x2400 + code) : `\\u${code.toString(16).padStart(4, "0")}`;
}

/** The same for a text that comes in pieces: what the next piece may complete is held back. */
interface HarmlessStream {
  push(piece: string): string;
  /** The text that was held back. */
  end(): string;
}

export function createHarmlessStream(location: TextLocation): HarmlessStream {
  let held = "";
  return {
    push(piece) {
      const text = held + piece;
      held = /[\r\ud800-\udbff]$/.exec(text)?.[0] ?? "";
      return toHarmlessText(text.slice(0, text.length - held.length), location);
    },
    end() {
      const rest = toHarmlessText(held, location);
      held = "";
      return rest;
    },
  };
}

/** Lines of any origin as a screen shows them, tabs as two columns. */
export function shownText(text: string): string {
  return toHarmlessText(text, "screen").replaceAll("\t", "  ");
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
