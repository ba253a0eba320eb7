import { minOwnSecretChars, type OwnSecret } from "./own-secrets.ts";
import { spellingsOf } from "./spellings.ts";

/** A stretch of a text that is a secret, or enough of one to be worth hiding. */
export interface SecretRun {
  readonly start: number;
  readonly end: number;
  readonly name: string;
}

export interface Spelling {
  readonly text: string;
  readonly name: string;
  /** So many of its characters in a row are taken for it. */
  readonly minRun: number;
}

export type FindRuns = (text: string) => readonly SecretRun[];

/** Of longer values only what stands in them as it is is looked for. */
const maxSpelledChars = 16_000;

/** What ties the pieces of a text that was wrapped: spaces, a line end (also an escaped one), and what a tool puts before a line. */
const lineEnd = /[ \t]*(?:\r?\n|\\r\\n|\\n)/y;
const maxGutterChars = 16;

/** A piece behind a line end has to go on with so many characters of the secret. */
const pieceChars = 8;

/** The mark of our own tools where they leave a part out: a secret may have been cut there. */
const cutMark = /\n?\[…[^\]\n]{0,80}…\]\n?/g;
/** The least length of an edge: common beginnings of keys of one kind are shorter. */
const minEdgeChars = 14;
const maxEdgeChars = 24;

/**
 * Finds secrets in texts in any spelling, wrapped ones and the greater part of cut ones too. A text without any is read
 * in steps, one look at each.
 */
export function createRunFinder(secrets: readonly OwnSecret[]): FindRuns {
  const spellings = secrets.flatMap(({ name, value }): readonly Spelling[] =>
    (value.length > maxSpelledChars ? [value] : spellingsOf(value)).map((text) => ({
      text,
      name,
      minRun: minRunOf(text.length),
    })),
  );
  if (spellings.length === 0) return () => [];
  const index = createGramIndex(spellings);
  const edges = createEdges(spellings);

  return (text) => {
    if (text.length < minOwnSecretChars) return [];
    return mergeRuns([...runsInside(text, index), ...edges(text)]);
  };
}

function minRunOf(chars: number): number {
  return chars < 24 ? chars : Math.min(24, Math.max(16, Math.ceil(chars / 2)));
}

function* runsInside(text: string, index: GramIndex): Generator<SecretRun> {
  const { step } = index;
  for (let at = index.next(text, 0); at !== -1; ) {
    const run = longestAt(text, at, index);
    if (run) yield run;
    at = index.next(text, run ? Math.max(run.end, at + 1) : at + step);
  }
}

function longestAt(text: string, at: number, index: GramIndex): SecretRun | undefined {
  let longest: SecretRun | undefined;
  for (const { spelling, offset } of index.lookUp(text, at)) {
    const left = extendLeft(text, at, spelling.text, offset);
    const right = extendRight(text, at, spelling.text, offset);
    if (right.offset - left.offset < spelling.minRun) continue;
    if (longest && longest.end - longest.start >= right.at - left.at) continue;
    longest = { start: left.at, end: right.at, name: spelling.name };
  }
  return longest;
}

interface Location {
  /** In the text. */
  readonly at: number;
  /** In the spelling. */
  readonly offset: number;
}

function extendRight(text: string, from: number, spelling: string, fromOffset: number): Location {
  let [at, offset] = [from, fromOffset];
  for (;;) {
    while (offset < spelling.length && at < text.length && text[at] === spelling[offset]) {
      at += 1;
      offset += 1;
    }
    if (offset === spelling.length || at === text.length) return { at, offset };
    const next = pieceBehind(text, at, spelling.slice(offset, offset + pieceChars));
    if (next === -1) return { at, offset };
    at = next;
  }
}

/** Where the next line goes on with this piece; -1 where it does not. */
function pieceBehind(text: string, at: number, piece: string): number {
  lineEnd.lastIndex = at;
  if (!lineEnd.test(text)) return -1;
  const start = lineEnd.lastIndex;
  const found = text.slice(start, start + maxGutterChars + piece.length).indexOf(piece);
  return found === -1 ? -1 : start + found;
}

function extendLeft(text: string, from: number, spelling: string, fromOffset: number): Location {
  let [at, offset] = [from, fromOffset];
  for (;;) {
    while (offset > 0 && at > 0 && text[at - 1] === spelling[offset - 1]) {
      at -= 1;
      offset -= 1;
    }
    if (offset === 0 || at === 0) return { at, offset };
    const before = pieceBefore(text, at, spelling.slice(Math.max(0, offset - pieceChars), offset));
    if (before === -1) return { at, offset };
    at = before;
  }
}

const lineBefore = /[ \t]*(?:\r?\n|\\r\\n|\\n)(?:(?!\n|\\n).){0,16}$/s;

function pieceBefore(text: string, at: number, piece: string): number {
  const before = text.slice(Math.max(0, at - 2 * maxGutterChars - 8), at);
  const found = lineBefore.exec(before);
  if (!found) return -1;
  const end = at - before.length + found.index;
  return text.startsWith(piece, end - piece.length) ? end : -1;
}

/** Beginnings of secrets where a text ends, and ends of secrets where one begins: what came before or behind was cut off. */
function createEdges(spellings: readonly Spelling[]): FindRuns {
  const long = spellings.filter(({ text }) => text.length > minEdgeChars);
  const byStart = groupSpellings(long, ({ text }) => text.slice(0, minEdgeChars));
  const byEnd = groupSpellings(long, ({ text }) => text.slice(-minEdgeChars));

  function atEnd(text: string, end: number): readonly SecretRun[] {
    for (let at = Math.max(0, end - maxEdgeChars); at <= end - minEdgeChars; at += 1) {
      const fitting = byStart.get(text.slice(at, at + minEdgeChars)) ?? [];
      const cut = fitting.find((one) => one.text.startsWith(text.slice(at, end)));
      if (cut) return [{ start: at, end, name: cut.name }];
    }
    return [];
  }

  function atStart(text: string, start: number): readonly SecretRun[] {
    for (let end = Math.min(text.length, start + maxEdgeChars); end >= start + minEdgeChars; end -= 1) {
      const fitting = byEnd.get(text.slice(end - minEdgeChars, end)) ?? [];
      const cut = fitting.find((one) => one.text.endsWith(text.slice(start, end)));
      if (cut) return [{ start, end, name: cut.name }];
    }
    return [];
  }

  return (text) => {
    const outer = [...atStart(text, 0), ...atEnd(text, text.length)];
    if (!text.includes("[…")) return outer;
    const cuts = [...text.matchAll(cutMark)];
    return [
      ...outer,
      ...cuts.flatMap(({ index, 0: mark }) => [...atEnd(text, index), ...atStart(text, index + mark.length)]),
    ];
  };
}

function groupSpellings(
  spellings: readonly Spelling[],
  keyOf: (one: Spelling) => string,
): ReadonlyMap<string, Spelling[]> {
  const groups = new Map<string, Spelling[]>();
  for (const one of spellings) {
    const key = keyOf(one);
    const group = groups.get(key);
    if (group) group.push(one);
    else groups.set(key, [one]);
  }
  return groups;
}

/** In order, those that overlap as one. */
function mergeRuns(runs: readonly SecretRun[]): readonly SecretRun[] {
  if (runs.length < 2) return runs;
  const all: SecretRun[] = [];
  for (const run of [...runs].sort((one, other) => one.start - other.start || other.end - one.end)) {
    const last = all.at(-1);
    if (last && run.start < last.end) all[all.length - 1] = { ...last, end: Math.max(last.end, run.end) };
    else all.push(run);
  }
  return all;
}

/**
 * Every few characters in a row that any spelling has. Since what is looked for is longer, a text need not be looked at
 * everywhere: one look in `step` characters meets all of it.
 */
interface GramIndex {
  readonly step: number;
  /** The next place to look at, from one that was not, where something may stand; -1 where nothing can. */
  next(text: string, from: number): number;
  /** The spellings that have what stands there, and where in them. */
  lookUp(text: string, at: number): readonly { readonly spelling: Spelling; readonly offset: number }[];
}

/** The same few characters again and again are looked up once for so many places. */
const maxPlaces = 64;

function createGramIndex(spellings: readonly Spelling[]): GramIndex {
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
