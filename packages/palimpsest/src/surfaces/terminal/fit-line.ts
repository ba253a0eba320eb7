import stringWidth from "string-width";

const graphemes = new Intl.Segmenter();
const ellipsis = "…";

/** Names and paths come from models and files: nothing in them may move the cursor or change colours. */
export function harmless(text: string): string {
  return text.toWellFormed().replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, "\ufffd");
}

/** The text in exactly that many columns; of one that is too long, the beginning or the end is kept. */
export function fitLine(text: string, columns: number, keep: "beginning" | "end" = "beginning"): string {
  const width = stringWidth(text);
  if (width <= columns) return text + " ".repeat(columns - width);
  const segments = Array.from(graphemes.segment(text), ({ segment }) => segment);
  if (keep === "end") segments.reverse();
  let room = columns - stringWidth(ellipsis);
  const kept: string[] = [];
  for (const segment of segments) {
    room -= stringWidth(segment);
    if (room < 0) break;
    kept.push(segment);
  }
  const cut = keep === "end" ? ellipsis + kept.reverse().join("") : kept.join("") + ellipsis;
  return cut + " ".repeat(Math.max(0, columns - stringWidth(cut)));
}
