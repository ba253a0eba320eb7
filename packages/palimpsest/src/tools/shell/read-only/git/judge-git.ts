import { judgeProgram, type ProgramRead, workingFolder } from "../judge-program.ts";
import { readArguments } from "../read-arguments.ts";
import type { CommandWord } from "../split-command.ts";
import { findSubcommand } from "./git-subcommands.ts";

/** Signatures are checked by a program that the repository's configuration names. */
const asksForSignature = /%[+\- ]?G|signature/;

const nothing = /^(?!)/;

/** They show no other contents than of the paths behind `--`, unless one of these options stands before it. */
const narrowing: ReadonlyMap<string, RegExp> = new Map([
  ["log", /^--(?:full-diff|follow)$/],
  ["diff", nothing],
  ["status", /^(?:-\w*v|--verbose)/],
  ["blame", nothing],
  ["grep", nothing],
  ["ls-files", nothing],
]);

/** A name of commits; what looks like an id may be one of a file's contents. */
const commits = /^(?!\^?[0-9a-f]{4,64}$)\^?[\w@][\w./@{}~^-]*$/;

/**
 * The reads of git, called so: no options before the subcommand but two, which turn things off, and none shortened.
 * What the configuration of the repository makes git run (a file monitor, an external diff) is not judged here: whoever
 * may write that configuration may run programs.
 */
export function judgeGit(words: readonly CommandWord[]): readonly ProgramRead[] | undefined {
  const from = words.findIndex(({ text }) => text !== "--no-pager" && text !== "--no-optional-locks");
  const [subcommand, second] = from === -1 ? [] : words.slice(from);
  if (subcommand === undefined || words.some(({ text }) => asksForSignature.test(text))) return undefined;
  if (words.length === 1 && subcommand.text === "--version") return [];
  const found = findSubcommand(subcommand.text, second?.text ?? "");
  if (found === undefined) return undefined;
  const { grammar } = found;
  const rest = words.slice(from + found.words);
  const end = rest.findIndex(({ text }) => text === "--");
  const before = end === -1 ? rest : rest.slice(0, end);
  const paths = end === -1 ? [] : rest.slice(end + 1);
  if (paths.some(({ text }) => text.startsWith("-"))) return undefined;
  if (judgeProgram(rest, grammar) === undefined) return undefined;
  const reads = judgeProgram(before, grammar) ?? [];
  if (grammar.recursion === undefined) return reads;
  const named = reads.map(({ word }) => word);
  const values = readArguments(before, grammar)?.paths ?? [];
  const widening = narrowing.get(subcommand.text);
  const isNarrow =
    widening !== undefined &&
    !before.some(({ text }) => widening.test(text)) &&
    paths.length > 0 &&
    paths.every(({ text }) => !text.startsWith(":")) &&
    named.every((word) => word.text === "." || values.includes(word) || commits.test(word.text));
  const read = isNarrow
    ? [...values, ...paths.map(toPathspec)]
    : [workingFolder, ...named, ...named.flatMap(pathOfRevision), ...paths].map(toPathspec);
  return uniqueWords(read).map((word) => ({
    word,
    isRecursive: true,
    isListing: false,
    ...(!isNarrow && word.text === workingFolder.text && { isRepository: true }),
  }));
}

/** `HEAD:src/a.ts` names a file as it was. */
function pathOfRevision({ text, ...rest }: CommandWord): readonly CommandWord[] {
  const [, path] = /^[^:]+:(.+)$/s.exec(text) ?? [];
  return path === undefined ? [] : [{ ...rest, text: path, fixedChars: path.length }];
}

/** Git's own patterns need no shell, and a star stands for slashes too: all below the last folder without one. */
function toPathspec(word: CommandWord): CommandWord {
  const { text } = word;
  const growing = text.search(/[*?[\\]/);
  if (growing < 0) return word;
  const folder = text.slice(0, text.lastIndexOf("/", growing) + 1) || workingFolder.text;
  return { text: folder, isPattern: false, fixedChars: Math.min(word.fixedChars, folder.length) };
}

function uniqueWords(words: readonly CommandWord[]): readonly CommandWord[] {
  return [...new Map(words.map((word) => [word.text, word])).values()];
}
