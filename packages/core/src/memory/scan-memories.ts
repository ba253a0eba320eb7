import type { MemoryHit } from "../spec/index.ts";
import { toWords } from "./merge-memories.ts";

/** A file that can be found: a memory, or a file that is none. */
export interface ScannedText {
  readonly path: string;
  readonly name?: string;
  readonly description?: string;
  readonly body: string;
}

const nameWeight = 3;
const descriptionWeight = 2;
/** BM25's usual numbers: how soon a repeated word stops counting, and how much long texts are held back. */
const saturation = 1.2;
const lengthShare = 0.75;
const snippetChars = 160;

/** Goes through all texts, word by word: for folders of some hundred memories, without an index. */
export function scanMemories(
  texts: readonly ScannedText[],
  query: string,
  limit: number,
): readonly MemoryHit[] {
  const wanted = [...new Set(toWords(query))];
  const counted = texts.map((text) => ({ text, counts: weightedCounts(text) }));
  const lengths = counted.map(({ counts }) => sum(counts.values()));
  const meanLength = Math.max(1, sum(lengths) / Math.max(1, lengths.length));
  const rarity = new Map(
    wanted.map((word) => {
      const holders = counted.filter(({ counts }) => counts.has(word)).length;
      return [word, Math.log(1 + (texts.length - holders + 0.5) / (holders + 0.5))];
    }),
  );
  const hits = counted.flatMap(({ text, counts }, index): readonly MemoryHit[] => {
    const held = 1 - lengthShare + (lengthShare * (lengths[index] ?? 0)) / meanLength;
    const score = sum(
      wanted.map((word) => {
        const count = counts.get(word) ?? 0;
        return ((rarity.get(word) ?? 0) * count * (saturation + 1)) / (count + saturation * held);
      }),
    );
    if (score === 0) return [];
    const { path, name } = text;
    return [{ path, score, snippet: snippetOf(text, wanted), ...(name === undefined ? {} : { name }) }];
  });
  return hits.sort((a, b) => b.score - a.score || (a.path < b.path ? -1 : 1)).slice(0, limit);
}

function weightedCounts({
  path,
  name = path,
  description = "",
  body,
}: ScannedText): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  const add = (text: string, weight: number) => {
    for (const word of toWords(text)) counts.set(word, (counts.get(word) ?? 0) + weight);
  };
  add(name, nameWeight);
  add(description, descriptionWeight);
  add(body, 1);
  return counts;
}

function snippetOf({ description = "", body }: ScannedText, wanted: readonly string[]): string {
  let best = "";
  let bestCount = 0;
  for (const line of [description, ...body.split("\n")]) {
    const words = new Set(toWords(line));
    const count = wanted.filter((word) => words.has(word)).length;
    if (count > bestCount) [best, bestCount] = [line, count];
  }
  const line = (best || description || body.trim().split("\n")[0] || "").trim();
  const characters = [...line];
  return characters.length <= snippetChars ? line : `${characters.slice(0, snippetChars - 1).join("")}…`;
}

function sum(numbers: Iterable<number>): number {
  let total = 0;
  for (const number of numbers) total += number;
  return total;
}
