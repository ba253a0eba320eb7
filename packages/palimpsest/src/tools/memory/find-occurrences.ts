/** Where a text stands, overlapping places counted one by one, in order. An empty text stands nowhere. */
export function findOccurrences(text: string, wanted: string): readonly number[] {
  if (wanted === "") return [];
  const found: number[] = [];
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + 1)) found.push(at);
  return found;
}

/** The lines, counted from 1, in which those places begin; each once. */
export function linesOf(text: string, places: readonly number[]): readonly number[] {
  const lines: number[] = [];
  let line = 1;
  let from = 0;
  for (const place of places) {
    for (let at = text.indexOf("\n", from); at !== -1 && at < place; at = text.indexOf("\n", from)) {
      line += 1;
      from = at + 1;
    }
    if (lines.at(-1) !== line) lines.push(line);
  }
  return lines;
}
