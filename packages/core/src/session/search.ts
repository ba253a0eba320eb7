import { type Entry, isBlock, ok, type Result, type SearchHit } from "../spec/index.ts";
import type { SessionLog } from "./session-log.ts";

/** How many hits are given when the caller does not say. */
export const searchHits = 10;
const snippetChars = 200;
/** Of BM25: how soon more of the same word counts no more, and how much length matters. */
const saturation = 1.2;
const lengthWeight = 0.75;

interface Found {
  readonly entry: Entry;
  readonly text: string;
  readonly words: number;
  readonly counts: readonly number[];
}

/**
 * Entries of a session that hold the words of a query, best first (BM25), hidden or not. Reads the whole log: nothing
 * is kept in memory for it.
 */
export async function searchSession(
  log: SessionLog,
  query: string,
  limit = searchHits,
): Promise<Result<readonly SearchHit[]>> {
  const terms = [...new Set(wordsOf(query))];
  const found: Found[] = [];
  let entries = 0;
  let words = 0;
  for await (const read of log.readAfter(0)) {
    if (!read.ok) return read;
    const text = searchedText(read.value);
    if (text === "") continue;
    const own = wordsOf(text);
    entries += 1;
    words += own.length;
    const counts = terms.map((term) => own.filter((word) => word === term).length);
    if (counts.some((count) => count > 0)) found.push({ entry: read.value, text, words: own.length, counts });
  }
  const weights = terms.map((_, at) =>
    inverseFrequency(found.filter(({ counts }) => counts[at]).length, entries),
  );
  const scored = found.map((one) => ({ one, score: scoreOf(one, weights, words / Math.max(1, entries)) }));
  scored.sort((a, b) => b.score - a.score || b.one.entry.seq - a.one.entry.seq);
  return ok(scored.slice(0, limit).map(({ one, score }) => toHit(one, score, terms)));
}

function inverseFrequency(holding: number, entries: number): number {
  return Math.log(1 + (entries - holding + 0.5) / (holding + 0.5));
}

function scoreOf({ counts, words }: Found, weights: readonly number[], meanWords: number): number {
  const length = 1 - lengthWeight + (lengthWeight * words) / Math.max(1, meanWords);
  return counts.reduce(
    (sum, count, at) => sum + ((weights[at] ?? 0) * count * (saturation + 1)) / (count + saturation * length),
    0,
  );
}

function toHit({ entry, text }: Found, score: number, terms: readonly string[]): SearchHit {
  const lower = text.toLowerCase();
  const positions = terms.map((term) => lower.indexOf(term)).filter((at) => at >= 0);
  const start = Math.max(0, Math.min(...positions) - snippetChars / 4);
  const snippet = text
    .slice(start, start + snippetChars)
    .toWellFormed()
    .replaceAll(/\s+/g, " ")
    .trim();
  const toolUseIds = toolUsesOf(entry);
  return { entry: entry.id, at: entry.at, score, snippet, ...(toolUseIds.length > 0 && { toolUseIds }) };
}

function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];
}

function searchedText(entry: Entry): string {
  if (entry.kind !== "message") return "";
  const { content } = entry.message;
  if (typeof content === "string") return content;
  return content
    .map((block) => {
      if (isBlock(block, "text")) return block.text;
      if (isBlock(block, "tool_use")) return `${block.name} ${JSON.stringify(block.input)}`;
      if (!isBlock(block, "tool_result")) return "";
      return typeof block.content === "string" ? block.content : JSON.stringify(block.content ?? "");
    })
    .join("\n");
}

function toolUsesOf(entry: Entry): readonly string[] {
  if (entry.kind !== "message" || typeof entry.message.content === "string") return [];
  return entry.message.content.flatMap((block) => {
    if (isBlock(block, "tool_use")) return block.id;
    return isBlock(block, "tool_result") ? block.tool_use_id : [];
  });
}
