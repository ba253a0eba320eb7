import { maxFieldChars } from "./recall-document.ts";
import type { Tokenizer } from "./tokenizer.ts";

export const snippetChars = 240;
const leadChars = 40;

/** The part of a text with the most different terms of the query, on one line; its beginning where it has none. */
export function snippetOf(text: string, queryTerms: readonly string[], tokenizer: Tokenizer): string {
  const looked = text.slice(0, maxFieldChars);
  const wanted = new Set(queryTerms);
  const found: { readonly at: number; readonly terms: readonly string[] }[] = [];
  for (const { 0: word, index } of looked.matchAll(/[^\s]+/g)) {
    const terms = tokenizer.terms(word, "document").filter((term) => wanted.has(term));
    if (terms.length > 0) found.push({ at: index, terms });
  }
  const start = bestStart(found);
  const from = start < leadChars ? 0 : wordStart(looked, start - leadChars);
  const cut = text.slice(from, from + snippetChars).toWellFormed();
  const line = cut.replaceAll(/\s+/g, " ").trim();
  return `${from > 0 ? "… " : ""}${line}${from + snippetChars < text.length ? " …" : ""}`;
}

/** Where the window with the most different terms begins. */
function bestStart(found: readonly { readonly at: number; readonly terms: readonly string[] }[]): number {
  let best = { at: 0, terms: 0 };
  for (const [first, { at }] of found.entries()) {
    const terms = new Set<string>();
    for (let next = first; next < found.length; next += 1) {
      const word = found[next] as (typeof found)[number];
      if (word.at > at + snippetChars - leadChars) break;
      for (const term of word.terms) terms.add(term);
    }
    if (terms.size > best.terms) best = { at, terms: terms.size };
  }
  return best.at;
}

function wordStart(text: string, at: number): number {
  const space = text.slice(at, at + leadChars).search(/\s/);
  return space < 0 ? at : at + space + 1;
}
