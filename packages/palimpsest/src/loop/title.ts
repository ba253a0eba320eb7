import { firstChars, toPlainTitle } from "@palimpsest/core/internal";

const maxTitleChars = 60;

/** What a session is called in lists: the beginning of what was asked first, on one line without marks or tags. */
export function toTitle(prompt: string): string {
  const line = toPlainTitle(prompt, 4 * maxTitleChars);
  if (line.length <= maxTitleChars) return line;
  const cut = firstChars(line, maxTitleChars - 1);
  const atWord = cut.lastIndexOf(" ");
  return `${atWord > maxTitleChars / 2 ? cut.slice(0, atWord) : cut}…`;
}
