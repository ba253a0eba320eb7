import { firstChars } from "../../../view/quote-foreign.ts";
import type { DreamNumbers } from "../settings.ts";
import { absoluteDates, dayOf } from "./absolute-dates.ts";
import { type ChangeSet, type DreamFlag, toChangeSet } from "./change-set.ts";
import {
  type IndexFormat,
  indexPath,
  linksIn,
  type MemoryFormat,
  type ParsedMemory,
  pathsIn,
  relink,
} from "./memory-links.ts";
import { fileOf, memoriesOf, type Snapshot } from "./snapshot.ts";

export interface ScribeDreamOptions extends Pick<ChangeSet, "id" | "at"> {
  readonly snapshot: Snapshot;
  readonly format: MemoryFormat;
  readonly index: IndexFormat;
  /** Whether a path that a memory names is there. */
  readonly pathExists: (path: string) => boolean;
  readonly numbers: Pick<DreamNumbers, "maxRemovedPercent" | "nearPercent">;
  /** How far the people's clocks are ahead of UTC, for the days they mean. */
  readonly utcOffsetMinutes?: number;
}

/** The memories as the dream has them so far, and why it changed what it did. */
interface Work {
  readonly memories: Map<string, ParsedMemory>;
  readonly reasons: Map<string, string[]>;
  /** Where what was removed is now. */
  readonly moved: Map<string, string>;
  readonly flags: DreamFlag[];
}

/**
 * Puts a memory folder in order without a model: duplicates become one, relative dates those of the calendar, long lines
 * of the index short, and the index is built anew. What the user confirmed is left word for word, and what only a person
 * can decide is flagged. Deterministic: the same snapshot gives the same change set.
 */
export function dreamAsScribe(options: ScribeDreamOptions): ChangeSet {
  const { snapshot, format, index, id, at } = options;
  const memories = memoriesOf(snapshot, format.parse);
  const work: Work = {
    memories: new Map(memories.map((memory) => [memory.path, memory])),
    reasons: new Map(),
    moved: new Map(),
    flags: [],
  };
  fixDates(work, options);
  mergeDuplicates(work, options);
  followMoved(work);
  shortenLines(work, options);
  flagDead(work, options);
  const after = new Map(snapshot.map(({ path, text }) => [path, text]));
  for (const { path } of memories) {
    const memory = work.memories.get(path);
    if (memory === undefined) after.delete(path);
    else if (work.reasons.has(path)) after.set(path, format.format(memory));
  }
  const present = fileOf(snapshot, indexPath)?.text ?? null;
  if (memories.length > 0 || present !== null)
    after.set(indexPath, index.build([...work.memories.values()], present));
  const reasonOf = (path: string) => ({
    reason: path === indexPath ? "built anew" : (work.reasons.get(path) ?? []).join("; "),
  });
  return toChangeSet({ id, at, by: "scribe", before: snapshot, after, reasonOf, flags: work.flags });
}

/** Puts a changed memory in its place; what the user confirmed is never changed. */
function change({ memories, reasons }: Work, memory: ParsedMemory, reason: string): void {
  memories.set(memory.path, memory);
  reasons.set(memory.path, [...(reasons.get(memory.path) ?? []), reason]);
}

const open = ({ memories }: Work) => [...memories.values()].filter(({ isConfirmed }) => isConfirmed !== true);

function fixDates(work: Work, { snapshot, utcOffsetMinutes = 0 }: ScribeDreamOptions): void {
  for (const memory of open(work)) {
    const day = dayOf(fileOf(snapshot, memory.path)?.at ?? "", utcOffsetMinutes);
    if (day === undefined) continue;
    const description = absoluteDates(memory.description, day);
    const body = absoluteDates(memory.body, day);
    if (description !== memory.description || body !== memory.body)
      change(work, { ...memory, description, body }, "relative dates made absolute");
  }
}

/** No more than one dream may remove: the rest is flagged, for the next one or a person. */
function mergeDuplicates(work: Work, { numbers }: ScribeDreamOptions): void {
  const { memories, reasons, moved, flags } = work;
  const { maxRemovedPercent, nearPercent } = numbers;
  const maxRemoved = Math.floor((memories.size * maxRemovedPercent) / 100);
  for (const { first, second, percent } of findDuplicates([...memories.values()], nearPercent)) {
    const [one, other] = [memories.get(first.path), memories.get(second.path)];
    if (one === undefined || other === undefined) continue;
    const merge = moved.size < maxRemoved ? mergeMemories(one, other, nearPercent) : null;
    if (merge === null) {
      flags.push({ kind: "duplicate", path: first.path, target: second.path });
      continue;
    }
    const { kept, removed } = merge;
    const what = percent === 100 ? "a duplicate" : "a near duplicate";
    memories.delete(removed.path);
    for (const [from, to] of moved) if (to === removed.path) moved.set(from, kept.path);
    moved.set(removed.path, kept.path);
    reasons.set(removed.path, [`${what} of ${kept.path}`]);
    if (kept !== one && kept !== other) change(work, kept, `merged with ${removed.path}, ${what}`);
  }
}

function followMoved(work: Work): void {
  for (const memory of work.moved.size === 0 ? [] : open(work)) {
    const body = relink(memory.path, memory.body, work.moved);
    if (body !== memory.body) change(work, { ...memory, body }, "links follow what was merged");
  }
}

function shortenLines(work: Work, { index }: ScribeDreamOptions): void {
  for (const memory of open(work)) {
    const short = shortenDescription(memory, index);
    if (short !== memory) change(work, short, "its line in the index was too long");
  }
}

function flagDead({ memories, moved, flags }: Work, { snapshot, pathExists }: ScribeDreamOptions): void {
  const there = new Set(snapshot.map(({ path }) => path).filter((path) => !moved.has(path)));
  for (const { path, body } of memories.values()) {
    for (const link of linksIn(path, body))
      if (!there.has(link.path)) flags.push({ kind: "dead-link", path, target: link.target });
    for (const target of pathsIn(body))
      if (!pathExists(target)) flags.push({ kind: "missing-path", path, target });
  }
}

/** The memory with a description so short that its line in the index fits, cut between words; itself where it does. */
function shortenDescription(
  memory: ParsedMemory,
  index: Pick<IndexFormat, "line" | "maxLineChars">,
): ParsedMemory {
  const over = index.line(memory).length - index.maxLineChars;
  if (over <= 0) return memory;
  const room = memory.description.length - over - 1;
  if (room <= 0) return memory;
  const cut = firstChars(memory.description, room);
  const words = cut.replace(/\s+\S*$/, "").trimEnd();
  return { ...memory, description: `${words || cut.trimEnd()}…` };
}

interface Merge {
  /** The memory that stays, under its own path. */
  readonly kept: ParsedMemory;
  readonly removed: ParsedMemory;
}

/** Who has the last word: what the user confirmed, what is trusted, what the user wrote, what says more; then the path. */
function rankPair(one: ParsedMemory, other: ParsedMemory): readonly [ParsedMemory, ParsedMemory] {
  const ranks = [one, other].map(({ isConfirmed, trust, author, body }) => [
    isConfirmed === true ? 1 : 0,
    trust === "trusted" ? 1 : 0,
    author === "user" ? 1 : 0,
    body.length,
  ]) as [number[], number[]];
  const at = ranks[0].findIndex((rank, position) => rank !== ranks[1][position]);
  const isFirst = at < 0 ? one.path < other.path : (ranks[0][at] as number) > (ranks[1][at] as number);
  return isFirst ? [one, other] : [other, one];
}

/**
 * One memory of two that are alike. `null` where a person has to decide: both are confirmed, or the weaker one says
 * something that must not be added to the stronger, which is confirmed or more trusted.
 */
function mergeMemories(one: ParsedMemory, other: ParsedMemory, nearPercent: number): Merge | null {
  const [winner, loser] = rankPair(one, other);
  if (loser.isConfirmed === true) return null;
  const mayGrow = winner.isConfirmed !== true && (loser.trust === "trusted" || winner.trust === "untrusted");
  const adds = newLines(winner.body, loser.body, nearPercent).length > 0;
  if (!mayGrow) return adds ? null : { kept: winner, removed: loser };
  const entries = [...new Set([...(winner.entries ?? []), ...(loser.entries ?? [])])];
  if (!adds && entries.length === (winner.entries?.length ?? 0)) return { kept: winner, removed: loser };
  const body = mergeBodies(winner.body, loser.body, nearPercent);
  return { kept: { ...winner, ...(entries.length > 0 ? { entries } : {}), body }, removed: loser };
}

/** Two memories that say the same; `first` is the one whose path comes first. */
interface DuplicatePair {
  readonly first: ParsedMemory;
  readonly second: ParsedMemory;
  /** 100: word for word. */
  readonly percent: number;
}

/** A shingle that so many memories have tells none of them from another. */
const commonIn = 50;

/**
 * Pairs of one type whose bodies are alike, the most alike first. Bodies that differ in a negation or a number are never
 * duplicates. Only memories that share a shingle are compared.
 */
function findDuplicates(memories: readonly ParsedMemory[], nearPercent: number): readonly DuplicatePair[] {
  const looked = memories
    .toSorted((one, other) => (one.path < other.path ? -1 : 1))
    .map((memory) => ({ memory, shingles: shinglesOf(memory.body), key: keyOf(memory) }));
  const holders = new Map<string, number[]>();
  const pairs: DuplicatePair[] = [];
  for (const [at, { memory, shingles, key }] of looked.entries()) {
    const candidates = new Set<number>();
    for (const shingle of [...shingles].map((one) => `${key}\n${one}`)) {
      const known = holders.get(shingle) ?? [];
      if (known.length < commonIn) for (const one of known) candidates.add(one);
      holders.set(shingle, [...known.slice(-commonIn), at]);
    }
    for (const candidate of candidates) {
      const other = looked[candidate];
      if (other === undefined) continue;
      const percent = isSame(other.memory, memory) ? 100 : similarPercent(other.shingles, shingles);
      if (percent >= nearPercent) pairs.push({ first: other.memory, second: memory, percent });
    }
  }
  return pairs.sort((one, other) => other.percent - one.percent || comparePaths(one, other));
}

function keyOf({ type, body }: ParsedMemory): string {
  return `${type}\n${turningWords(body)}`;
}

function isSame(one: ParsedMemory, other: ParsedMemory): boolean {
  return wordsOf(one.body).join(" ") === wordsOf(other.body).join(" ");
}

function comparePaths(one: DuplicatePair, other: DuplicatePair): number {
  const [a, b] = [one, other].map(({ first, second }) => `${first.path}\n${second.path}`) as [string, string];
  return a < b ? -1 : a > b ? 1 : 0;
}

/** So many words in a row make a shingle. */
const shingleWords = 2;

/** Runs of letters and digits; where a script has no spaces every character is a word. */
const words = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]|[\p{L}\p{M}\p{N}]+/gu;
const negation =
  /^(?:no|not|never|none|nor|neither|without|cannot|t|(?:do|ca|wo|is|does|did|are|was|should)nt)$/;

function wordsOf(text: string): readonly string[] {
  return text.normalize("NFKC").toLowerCase().match(words) ?? [];
}

/** Pairs of neighbouring words; a single word is its own. */
export function shinglesOf(text: string): ReadonlySet<string> {
  const all = wordsOf(text);
  if (all.length < shingleWords) return new Set(all);
  const shingles = new Set<string>();
  for (let at = 0; at + shingleWords <= all.length; at += 1) {
    shingles.add(all.slice(at, at + shingleWords).join(" "));
  }
  return shingles;
}

/** The part of all shingles that both have, 0 to 100. Two empty texts share everything. */
function similarPercent(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const shared = countShared(one, other);
  const all = one.size + other.size - shared;
  return all === 0 ? 100 : (100 * shared) / all;
}

/** The part of the first one's shingles that the second has too, 0 to 100; an empty text has none. */
export function containedPercent(part: ReadonlySet<string>, whole: ReadonlySet<string>): number {
  return part.size === 0 ? 0 : (100 * countShared(part, whole)) / part.size;
}

function countShared(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  let shared = 0;
  for (const shingle of one) if (other.has(shingle)) shared += 1;
  return shared;
}

/**
 * The words on which the sense of a text turns: negations and numbers. Two texts that differ in them say different
 * things, however alike they look.
 */
function turningWords(text: string): string {
  return wordsOf(text)
    .filter((word) => negation.test(word) || /\p{N}/u.test(word))
    .toSorted()
    .join(" ");
}

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
function mergeBodies(body: string, other: string, nearPercent: number): string {
  const lines = newLines(body, other, nearPercent);
  return lines.length === 0 ? body : `${body.trimEnd()}\n\n${lines.join("\n")}`;
}
