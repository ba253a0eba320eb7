import type { ProgramRead } from "./judge-program.ts";
import type { CommandWord } from "./split-command.ts";

/** Letters without a dash: `aux`. An `e` among them shows environments. */
const plainLetters = /^[aAcfgHhjlmnrSsTuvwx]+$/;

/** Letters behind a dash that have no value, and `aux` with one, which is read without it. `-E` shows environments. */
const dashedLetters = /^-(?:[aAcdfFHjlLTVwy]+|auxw*|axuw*)$/;

/**
 * Behind a dash an `e` stands for every process. But where anything does not fit, all words are read once more as if there
 * were no dashes, and it shows environments: so it stands with what always fits.
 */
const everyProcess = /^-e[fFlj]?w*$/;

const numbers = /^\d+(?:,\d+)*$/;

const columnNames =
  "pid|ppid|pgid|user|ruser|uid|gid|comm|command|args|%cpu|%mem|pcpu|pmem|rss|vsz|tty|tt|stat|state|start|lstart|etime|time|nice|ni|pri";
const columns = new RegExp(`^(?:(?:${columnNames})=?(?:,(?!$)|$))+$`);
const sorting = new RegExp(`^--sort=(?:[-+]?(?:${columnNames})(?:,(?!$)|$))+$`);

const columnsOption = new RegExp(`^--format=(?:(?:${columnNames})(?:,(?!$)|$))+$`);
const processOption = /^--(?:pid|ppid|quick-pid)=\d+(?:,\d+)*$/;

/** Which processes run, without their environments. Its letters mean other things with and without a dash. */
export function judgePs(words: readonly CommandWord[]): readonly ProgramRead[] | undefined {
  if (words.some(({ isPattern }) => isPattern)) return undefined;
  const [first, ...rest] = words.map(({ text }) => text);
  if (first === undefined) return [];
  const isKnown = /^-e/.test(first) ? showsEvery(first, rest) : showsSome([first, ...rest]);
  return isKnown ? [] : undefined;
}

function showsEvery(first: string, rest: readonly string[]): boolean {
  if (everyProcess.test(first) && rest[0] !== "-o") return rest.every(isArranging);
  const [value = "", ...more] = first === "-e" && rest[0] === "-o" ? rest.slice(1) : rest;
  return /^-eo?$/.test(first) && columns.test(value) && more.every(isArranging);
}

function showsSome(texts: readonly string[]): boolean {
  let at = 0;
  while (at < texts.length) {
    const text = texts[at++] ?? "";
    if ([plainLetters, dashedLetters, columnsOption, processOption].some((form) => form.test(text))) continue;
    if (isArranging(text)) continue;
    const value = text === "-o" ? columns : text === "-p" || text === "-q" ? numbers : undefined;
    if (value === undefined || !value.test(texts[at++] ?? "")) return false;
  }
  return true;
}

function isArranging(text: string): boolean {
  return text === "--no-headers" || text === "--forest" || sorting.test(text);
}
