import { quoteForeign } from "../../quote-foreign.ts";
import { linesBelow } from "../carried-lines.ts";
import type { Piece } from "../piece.ts";
import type { CallReading, SessionReading } from "../read-session.ts";

const namesLabel = "Names in what was changed, looked for and read, the most telling first:";
/** How much of a text is looked at. */
const maxChars = 12_000;
const namesPerLine = 24;
const maxNames = 480;
const maxLineChars = 2_000;
/** Who says the names that only results of tools had: a page can make a sentence of one word. */
const foreignLabel = "in results of tools: ";

interface SortedName {
  readonly name: string;
  readonly isGiven: boolean;
}

interface NameCount {
  count: number;
  newest: number;
  isGiven: boolean;
}

/** The names that the work was about: those given in calls before those only read, newer and more frequent ones first. */
export function namePieces(reading: SessionReading): readonly Piece[] {
  const names = countNames(reading.calls);
  const score = ({ count, newest, isGiven }: NameCount) =>
    newest / reading.calls.length + Math.min(count, 5) * 0.15 + (isGiven ? 0.75 : 0);
  const sorted = [...names].sort(([, one], [, other]) => score(other) - score(one));
  const own = sorted.map(([name, { isGiven }]) => ({ name, isGiven }));
  const older = carriedNames(reading).filter(({ name }) => !names.has(name));
  const all = [...own, ...older].slice(0, maxNames);
  const pieces: Piece[] = [];
  for (let at = 0; at < all.length; at += namesPerLine)
    pieces.push({ label: namesLabel, levels: [`- ${nameLine(all.slice(at, at + namesPerLine))}`] });
  return pieces;
}

/** Names given in calls as they are; those that only results had between quotes. */
function nameLine(names: readonly SortedName[]): string {
  const listed = (isGiven: boolean) =>
    names.flatMap((one) => (one.isGiven === isGiven ? [one.name] : [])).join(", ");
  const [given, read] = [listed(true), listed(false)];
  const foreign = read === "" ? [] : [`${foreignLabel}${quoteForeign(read, maxLineChars)}`];
  return [...(given === "" ? [] : [given]), ...foreign].join("; ");
}

function countNames(calls: readonly CallReading[]): ReadonlyMap<string, NameCount> {
  const names = new Map<string, NameCount>();
  for (const [at, { input, outcome, purpose }] of calls.entries()) {
    const isTold = purpose.purpose !== "todos" && purpose.purpose !== "plan";
    for (const name of isTold ? namesIn(stringsIn(input)) : []) count(names, name, at, true);
    if (outcome && !outcome.isReplaced)
      for (const name of namesIn(outcome.text)) count(names, name, at, false);
  }
  return names;
}

function count(names: Map<string, NameCount>, name: string, at: number, isGiven: boolean): void {
  const known = names.get(name);
  if (!known) names.set(name, { count: 1, newest: at, isGiven });
  else {
    known.count += 1;
    known.newest = at;
    known.isGiven ||= isGiven;
  }
}

/** Of the summary before; what it had between quotes stays between quotes. */
function carriedNames(reading: SessionReading): readonly SortedName[] {
  const found = new Map<string, SortedName>();
  for (const line of linesBelow(reading, namesLabel)) {
    const [given = "", read = ""] = line.slice(2).split(foreignLabel, 2);
    for (const [text, isGiven] of [[given, true] as const, [read, false] as const])
      for (const name of namesIn(text)) if (!found.has(name)) found.set(name, { name, isGiven });
  }
  return [...found.values()];
}

function stringsIn(value: unknown): string {
  if (typeof value === "string") return value;
  if (typeof value !== "object" || value === null) return "";
  return Object.values(value).map(stringsIn).join("\n");
}

/** Names that somebody gave: with capitals inside, an underscore or a digit. */
function namesIn(text: string): ReadonlySet<string> {
  const words = text.slice(0, maxChars).match(/\b[A-Za-z_]\w{5,40}\b/g) ?? [];
  return new Set(words.filter((word) => /[a-z][A-Z]|[A-Za-z]_[A-Za-z]|[A-Za-z]\d/.test(word)));
}
