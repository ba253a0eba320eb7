import { escapeTerminal } from "../escape-terminal.ts";

/** Where the text goes: a screen is also kept from marks that turn the direction of text or cannot be seen. */
export type TextLocation = "screen" | "pipe";

/** Controls other than line breaks and tabs. */
const controls = /(?![\n\t])\p{Cc}/gu;

/** Controls as above, and what else a screen must not obey. The joiners that scripts and emoji need stay. */
const harmful = /(?![\n\t\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/** Text of several lines that a terminal shows and does not obey. */
export function toHarmlessText(text: string, place: TextLocation): string {
  const lines = text.replaceAll("\r\n", "\n");
  return lines.replace(place === "screen" ? harmful : controls, toHarmlessCharacter);
}

/** White space among them is no space here: a lone return moves the cursor. */
function toHarmlessCharacter(character: string): string {
  return /\s/.test(character) ? picture(character) : escapeTerminal(character);
}

function picture(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return code < 0x20 ? String.fromCodePoint(0x2400 + code) : `\\u${code.toString(16).padStart(4, "0")}`;
}

/** The same for a text that comes in pieces: what the next piece may complete is held back. */
export interface HarmlessStream {
  push(piece: string): string;
  /** What was held back. */
  end(): string;
}

export function createHarmlessStream(place: TextLocation): HarmlessStream {
  let held = "";
  return {
    push(piece) {
      const text = held + piece;
      held = /[\r\ud800-\udbff]$/.exec(text)?.[0] ?? "";
      return toHarmlessText(text.slice(0, text.length - held.length), place);
    },
    end() {
      const rest = toHarmlessText(held, place);
      held = "";
      return rest;
    },
  };
}
