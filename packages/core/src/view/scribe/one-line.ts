import { firstChars } from "../first-chars.ts";

/** A text on one line, cut where it is long, with a sign that it was. */
export function oneLine(text: string, maxChars: number): string {
  const line = firstChars(text, maxChars * 4)
    .replaceAll(/[\s\u0085]+/g, " ")
    .trim();
  if (line.length <= maxChars && text.length <= maxChars * 4) return line;
  return `${firstChars(line, maxChars - 1).trimEnd()}…`;
}

/** The last characters of a text, a code point that does not fit left out. */
export function lastChars(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const from = text.length - maxChars;
  const isSplit = (text.codePointAt(from - 1) ?? 0) > 0xffff;
  return text.slice(isSplit ? from + 1 : from);
}

/** A text between fences that are longer than any inside it. */
export function fenced(text: string): string {
  const longest = (text.match(/`{3,}/g) ?? []).reduce((most, run) => Math.max(most, run.length), 2);
  const fence = "`".repeat(longest + 1);
  return `${fence}\n${text}\n${fence}`;
}
