import { textWidth } from "../table.ts";

/** Lines of at most that many columns, broken at spaces; a word that is longer is broken where the line ends. */
export function wrapText(text: string, columns: number): readonly string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ").flatMap((each) => breakText(each, columns))) {
    const longer = line === "" ? word : `${line} ${word}`;
    if (line !== "" && textWidth(longer) > columns) {
      lines.push(line);
      line = word;
    } else line = longer;
  }
  return [...lines, line];
}

/** The same, behind a mark: the lines after the first are indented by its width. */
export function wrapBehind(mark: string, text: string, columns: number): readonly string[] {
  const indent = " ".repeat(textWidth(mark));
  const lines = wrapText(text, Math.max(1, columns - indent.length));
  return lines.map((line, index) => (index === 0 ? mark : indent) + line);
}

const graphemes = new Intl.Segmenter();

/** Lines of at most that many columns, broken anywhere, with every character in them. */
export function breakText(text: string, columns: number): readonly string[] {
  if (textWidth(text) <= columns) return [text];
  const parts: string[] = [];
  let part = "";
  for (const { segment } of graphemes.segment(text)) {
    if (part !== "" && textWidth(part + segment) > columns) {
      parts.push(part);
      part = "";
    }
    part += segment;
  }
  return [...parts, part];
}
