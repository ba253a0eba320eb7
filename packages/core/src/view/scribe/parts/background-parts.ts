import { isRecord } from "../../../json/json-values.ts";
import type { Ledgers } from "../../../spec/index.ts";
import { boundedText } from "../../ledgers/ledger-parts.ts";
import { quoteForeign, shortId } from "../../quote-foreign.ts";
import type { IdWord } from "../../read-back.ts";
import { sentencesOf } from "../../sentences.ts";
import { linesBelow } from "../carried-lines.ts";
import type { Piece } from "../piece.ts";
import type { CallReading, SessionReading } from "../read-session.ts";

const wordsChars = [140, 420] as const;
/** Shorter words announce a call and say nothing more. */
const minWordsChars = 60;
const summaryChars = [1_200, 4_000, 12_000] as const;

export interface BackgroundParts {
  /** Languages and programs that the work was done with. */
  readonly concepts: readonly Piece[];
  /** The newest options of tools. */
  readonly options: readonly Piece[];
  readonly names: readonly Piece[];
  /** The model's words while it worked, oldest first. */
  readonly words: readonly Piece[];
  /** Summaries of what came before, which somebody else wrote. */
  readonly summaries: readonly Piece[];
}

export function backgroundParts(
  ledgers: Ledgers,
  reading: SessionReading,
  idWord: IdWord = "recall",
): BackgroundParts {
  const elsewhere = new Set([...ledgers.answers, ...ledgers.findings].map(({ entry }) => entry));
  const told = reading.words
    .slice(0, -1)
    .filter(({ text, entry }) => !elsewhere.has(entry) && tellsSomething(text));
  return {
    concepts: conceptPieces(ledgers, reading),
    options: optionPieces(reading),
    names: namePieces(reading),
    words: told.map(({ text, entry }) => ({
      label: "What the assistant said while working, oldest first:",
      levels: wordsChars.map((chars) =>
        text.length > chars
          ? `- ${quoteForeign(text, chars)} · ${idWord} ${shortId(entry)}`
          : `- ${quoteForeign(text, chars)}`,
      ),
    })),
    summaries: reading.summaries.map(({ id, text }) => ({
      label: "From an earlier summary:",
      levels: summaryChars.map(
        (chars) => `- ${quoteForeign(boundedText(text, chars), 2 * chars)} (${idWord} ${shortId(id)})`,
      ),
    })),
  };
}

/** Words behind which a call follows mostly say which. */
function tellsSomething(text: string): boolean {
  const told = sentencesOf(text).filter((sentence) => !announced.test(sentence));
  return told.join(" ").length >= minWordsChars;
}

const announced =
  /^(?:\W|\*\*)*(?:(?:good|great|perfect|excellent|ok(?:ay)?|now|next|so|then|and|also|first|finally)[,.!:]?\s+)*(?:let me|let's|i'll|i’ll|i will|i need to|i'm going to|add|update|create|write|run|check|fix|move|implement|read|look|the (?:next|last) step|step \d)(?![\p{L}])/iu;

function conceptPieces({ files }: Ledgers, { calls }: SessionReading): readonly Piece[] {
  const kinds = [...files.keys()].flatMap((path) => /\.(\w{1,10})$/.exec(path)?.[1] ?? []);
  const programs = calls.flatMap(({ purpose }) =>
    purpose.purpose === "command" ? programOf(purpose.command) : [],
  );
  const lines = [
    ["Kinds of files", mostOften(kinds, 10)],
    ["Programs", mostOften(programs, 12)],
  ] as const;
  return lines.flatMap(([what, names]) =>
    names.length > 0 ? [{ levels: [`${what}: ${names.join(", ")}`] }] : [],
  );
}

function programOf(command: string): readonly string[] {
  const words = command.trim().slice(0, 200).split(/\s+/);
  const at = words.findIndex((word) => /^[a-z][\w.-]*$/.test(word) && word !== "cd" && word !== "sudo");
  return at === -1 ? [] : [words[at] as string];
}

function mostOften(names: readonly string[], max: number): readonly string[] {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  const sorted = [...counts].sort(([, a], [, b]) => b - a);
  return sorted.slice(0, max).map(([name]) => name);
}

const maxValues = 4;
/** Tools and their fields are named by whoever writes the call. */
const isName = /^[\w.-]{1,80}$/;

/** With which numbers tools were called: limits and times to wait, as they were given last. Places in files are left out. */
function optionPieces({ calls, ownSummaries }: SessionReading): readonly Piece[] {
  const options = new Map<string, string[]>();
  for (const text of ownSummaries)
    for (const [name, values] of carriedOptions(text)) options.set(name, values);
  for (const { tool, input, purpose } of calls) {
    if (!isRecord(input) || purpose.purpose === "file") continue;
    for (const [field, value] of Object.entries(input)) {
      if (typeof value !== "number" || !isName.test(tool) || !isName.test(field)) continue;
      const name = `${tool} ${field}`;
      const others = (options.get(name) ?? []).filter((one) => one !== String(value));
      options.set(name, [String(value), ...others].slice(0, maxValues));
    }
  }
  if (options.size === 0) return [];
  const shown = [...options].map(([name, values]) => `${name} ${values.join(" ")}`);
  return [{ levels: [`${heading}${shown.join(", ")}`] }];
}

const isValue = /^-?[\d.e+-]+$/;
const heading = "Options of calls, the last first: ";

function carriedOptions(text: string): readonly (readonly [string, string[]])[] {
  const at = text.indexOf(`\n${heading}`);
  if (at === -1) return [];
  const [line = ""] = text.slice(at + 1 + heading.length).split("\n", 1);
  return line.split(", ").flatMap((option) => {
    const [tool = "", field = "", ...values] = option.split(" ");
    const areSound = isName.test(tool) && isName.test(field) && values.every((value) => isValue.test(value));
    return areSound ? [[`${tool} ${field}`, values] as const] : [];
  });
}

const namesLabel = "Names in what was changed, looked for and read, the most telling first:";
/** How much of a text is looked at. */
const maxChars = 12_000;
const namesPerLine = 24;
const maxNames = 144;
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
function namePieces(reading: SessionReading): readonly Piece[] {
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
