const numberWidth = 6;

/** Lines as the tool shows them: the number right-aligned, a tab, the line. */
export function numberedLines(lines: readonly string[], first: number): string {
  return lines.map((line, index) => `${String(first + index).padStart(numberWidth)}\t${line}`).join("\n");
}
