import { judgeProgram, type ProgramRead, workingFolder } from "../judge-program.ts";
import type { CommandWord } from "../split-command.ts";
import { findSubcommand } from "./git-subcommands.ts";

/** Signatures are checked by a program that the repository's configuration names. */
const asksForSignature = /%[+\- ]?G|signature/;

/** They show no other contents than of the paths behind `--`. */
const narrowing = new Set(["log", "diff", "status", "blame", "grep", "ls-files"]);

/** A name of commits; what looks like an id may be one of a file's contents. */
const commits = /^(?!\^?[0-9a-f]{4,64}$)\^?[\w@][\w./@{}~^-]*$/;

/**
 * What git, called so, reads: no options before the subcommand but two, which turn things off, and none shortened. What
 * the configuration of the repository makes git run (a file monitor, an external diff) is not judged here: whoever may
 * write that configuration may run programs.
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
  const isNarrow =
    narrowing.has(subcommand.text) &&
    paths.length > 0 &&
    paths.every(({ text }) => !text.startsWith(":")) &&
    named.every(({ text }) => text === "." || commits.test(text));
  const read = isNarrow ? paths : [workingFolder, ...named, ...named.flatMap(pathOfRevision), ...paths];
  return unique(read.map(toPathspec)).map((word) => ({ word, isRecursive: true, isListing: false }));
}

/** `HEAD:src/a.ts` names a file as it was. */
function pathOfRevision({ text, ...rest }: CommandWord): readonly CommandWord[] {
  const [, path] = /^[^:]+:(.+)$/s.exec(text) ?? [];
  return path === undefined ? [] : [{ ...rest, text: path, fixedChars: path.length }];
}

/** Git's own patterns need no shell. */
function toPathspec(word: CommandWord): CommandWord {
  return /[*?[]/.test(word.text) ? { ...word, isPattern: true } : word;
}

function unique(words: readonly CommandWord[]): readonly CommandWord[] {
  return [...new Map(words.map((word) => [word.text, word])).values()];
}
