import type { Spelling } from "./find-runs.ts";

/**
 * Every few characters in a row that any spelling has. Since what is looked for is longer, a text need not be looked at
 * everywhere: one look in `step` characters meets all of it.
 */
export interface GramIndex {
  readonly step: number;
  /** The next place to look at, from one that was not, where something may stand; -1 where nothing can. */
  next(text: string, from: number): number;
  /** The spellings that have what stands there, and where in them. */
  lookUp(text: string, at: number): readonly { readonly spelling: Spelling; readonly offset: number }[];
}

/** The same few characters again and again are looked up once for so many places. */
const maxPlaces = 64;

export function createGramIndex(spellings: readonly Spelling[]): GramIndex {
  const shortest = Math.min(...spellings.map(({ minRun }) => minRun));
  const gramChars = shortest >= 16 ? 8 : 4;
  const step = shortest - gramChars + 1;
  const places = new Map<string, { readonly spelling: Spelling; readonly offset: number }[]>();
  for (const spelling of spellings) {
    for (let offset = 0; offset + gramChars <= spelling.text.length; offset += 1) {
      const gram = spelling.text.slice(offset, offset + gramChars);
      const known = places.get(gram);
      if (!known) places.set(gram, [{ spelling, offset }]);
      else if (known.length < maxPlaces) known.push({ spelling, offset });
    }
  }
  const filter = createFilter([...places.keys()], gramChars);

  return {
    step,
    next(text, from) {
      for (let at = from; at + gramChars <= text.length; at += step) if (filter(text, at)) return at;
      return -1;
    },
    lookUp: (text, at) => places.get(text.slice(at, at + gramChars)) ?? [],
  };
}

/** Says no at once of nearly everything that is no gram. */
function createFilter(grams: readonly string[], gramChars: number): (text: string, at: number) => boolean {
  const bits = Math.min(20, Math.max(12, Math.ceil(Math.log2(grams.length * 16))));
  const seen = new Uint8Array(1 << bits);
  const slot = (text: string, at: number) => {
    let hash = 0;
    for (let index = 0; index < gramChars; index += 1)
      hash = Math.imul(hash ^ text.charCodeAt(at + index), 0x9e3779b1);
    return hash >>> (32 - bits);
  };
  for (const gram of grams) seen[slot(gram, 0)] = 1;
  return (text, at) => seen[slot(text, at)] === 1;
}
