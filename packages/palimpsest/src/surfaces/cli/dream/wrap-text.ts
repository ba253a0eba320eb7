import { textWidth } from "../fit-text.ts";

/** A text on lines of at most so many columns, broken between words; a longer word is broken where it must be. */
export function wrapText(text: string, columns: number): readonly string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(/\s+/).filter(Boolean)) {
    const joined = line === "" ? word : `${line} ${word}`;
    if (textWidth(joined) <= columns) {
      line = joined;
      continue;
    }
    if (line !== "") lines.push(line);
    line = word;
    while (textWidth(line) > columns) {
      const characters = [...line];
      lines.push(characters.slice(0, Math.floor(columns / 2)).join(""));
      line = characters.slice(Math.floor(columns / 2)).join("");
    }
  }
  return line === "" ? lines : [...lines, line];
}
