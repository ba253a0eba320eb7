import { shinglesOf, similarPercent, turningWords, wordsOf } from "./shingles.ts";

/** The lines of the second text that say something which no line of the first says. */
export function newLines(body: string, other: string, nearPercent: number): readonly string[] {
  const known = body.split("\n").map((line) => ({ shingles: shinglesOf(line), turns: turningWords(line) }));
  return other.split("\n").filter((line) => {
    if (wordsOf(line).length === 0) return false;
    const [shingles, turns] = [shinglesOf(line), turningWords(line)];
    return !known.some((one) => one.turns === turns && similarPercent(one.shingles, shingles) >= nearPercent);
  });
}

/** The first text, with what only the second one says behind it. */
export function mergeBodies(body: string, other: string, nearPercent: number): string {
  const lines = newLines(body, other, nearPercent);
  return lines.length === 0 ? body : `${body.trimEnd()}\n\n${lines.join("\n")}`;
}
