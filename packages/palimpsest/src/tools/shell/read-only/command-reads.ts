import { posix } from "node:path";
import { judgeGit } from "./git/judge-git.ts";
import { judgeProgram, type ProgramRead } from "./judge-program.ts";
import type { ProgramGrammar } from "./program-grammar.ts";
import { filePrograms } from "./programs/file-programs.ts";
import { systemPrograms } from "./programs/system-programs.ts";
import { textPrograms } from "./programs/text-programs.ts";
import { type CommandWord, type SimpleCommand, splitCommand } from "./split-command.ts";

const anyText = /^/;

/** A filter of jq that asks neither for the environment, but for a field of that name, nor for a module. */
const plainFilter =
  /^(?!.*(?:(?<![.\w])env\b|\.\.\s*env|\$\s*(?:ENV|__prog)|input_filename|import|include|modulemeta|get_search_list))/s;

const grep: ProgramGrammar = {
  isShortening: true,
  hasCount: true,
  options: `E extended-regexp, F fixed-strings, G basic-regexp, P perl-regexp, e regexp=text, f file=path,
    -iy, ignore-case, no-ignore-case, w word-regexp, x line-regexp, z null-data, s no-messages, v invert-match,
    V version, help, m max-count=number, b byte-offset, n line-number, line-buffered, H with-filename, h no-filename,
    label=text, o only-matching, q quiet silent, binary-files=text, a text, I, d directories=text, D devices=text,
    r recursive, R dereference-recursive, include=text, exclude=text, exclude-from=path, exclude-dir=text,
    L files-without-match, l files-with-matches, c count, T initial-tab, Z null, B before-context=number,
    A after-context=number, C context=number, group-separator=text, no-group-separator, color[=text], colour[=text],
    U binary, u unix-byte-offsets`,
  firstOperand: [anyText, "e", "f"],
  followsLinks: [["R"]],
  recursion: ["r", "R", "d"],
  folderByDefault: "recursive",
};

/** Programs that look for text in files. */
const searchPrograms: Readonly<Record<string, ProgramGrammar>> = {
  egrep: grep,
  fgrep: grep,
  grep,
  // A filter may print the environment, or read modules; so may a file with one.
  jq: {
    options: `a ascii-output, C color-output, c compact-output, e exit-status, h help, j join-output, M monochrome-output,
      n null-input, R raw-input, r raw-output, raw-output0, S sort-keys, s slurp, V version, arg=text+text, args,
      argjson=text+text, jsonargs, slurpfile=text+path, rawfile=text+path, argfile=text+path, indent=number, tab, seq,
      stream, stream-errors, unbuffered, !f from-file, !L=text, !i in-place, !debug-dump-disasm, !debug-trace[=text],
      !run-tests`,
    firstOperand: [plainFilter],
  },
  // `--pre`, `--hostname-bin` and `--search-zip` start programs; nothing may be shortened.
  rg: {
    options: `e regexp=text, f file=path, A after-context=number, B before-context=number, C context=number, a text,
      no-text, binary, no-binary, block-buffered, b byte-offset, s case-sensitive, color=text, colors=text, column,
      no-column, context-separator=text, no-context-separator, c count, count-matches, crlf, no-crlf, !debug,
      dfa-size-limit=text, E encoding=text, engine=text, field-context-separator=text, field-match-separator=text,
      files, l files-with-matches, files-without-match, F fixed-strings, no-fixed-strings, L follow, no-follow,
      !generate=text, g glob=text, glob-case-insensitive, heading, no-heading, h help, hidden, -., no-hidden,
      !hostname-bin=text, !hyperlink-format=text, iglob=text, i ignore-case, ignore-file=path,
      ignore-file-case-insensitive, include-zero, v invert-match, json, line-buffered, n line-number, N no-line-number,
      x line-regexp, M max-columns=number, max-columns-preview, m max-count=number, d max-depth maxdepth=number,
      max-filesize=text, mmap, no-mmap, U multiline, multiline-dotall, no-multiline, no-config, no-filename, I,
      no-ignore, no-ignore-dot, no-ignore-exclude, no-ignore-files, no-ignore-global, no-ignore-messages,
      no-ignore-parent, no-ignore-vcs, no-messages, no-pcre2-unicode, no-require-git, no-unicode, 0 null, null-data,
      one-file-system, o only-matching, passthru, path-separator=text, P pcre2, pcre2-version, no-pcre2, !pre=text,
      !pre-glob=text, no-pre, p pretty, q quiet, regex-size-limit=text, r replace=text, !z search-zip, no-search-zip,
      S smart-case, sort=text, sortr=text, sort-files, stats, stop-on-nonmatch, j threads=number, trace, trim, no-trim,
      t type=text, type-add=text, type-clear=text, type-list, T type-not=text, u unrestricted, V version, vimgrep,
      H with-filename, w word-regexp, auto-hybrid-regex, no-json, no-stats, no-encoding`,
    firstOperand: [anyText, "e", "f", "files", "type-list"],
    followsLinks: [["L"]],
    recursion: "always",
    folderByDefault: "always",
  },
};

/** A place that a read-only command would read, as it was written. */
export interface CommandRead {
  /**
   * As the program gets it; relative ones begin at the working folder, or where a `cd` before it leads, already joined as
   * text. Only a `~` that the shell replaces stands at its beginning.
   */
  readonly path: string;
  /** Names of files may stand in its place: it has an unquoted `*`, `?` or `[`. */
  readonly isPattern: boolean;
  /** Everything below it is read or listed too (`grep -r`, `rg`, `find`, `ls -R`, `tree`, `du`). */
  readonly isRecursive: boolean;
  /** Whether files below are read through links too, so that it cannot be told what they are: `grep -R`, `find -L`. */
  readonly followsLinks?: boolean;
  /** Where it is a folder, each file in it is read, through links: `diff a b`. */
  readonly readsEntries?: boolean;
  /** Everything in the repository around this folder is read, and what was in it. */
  readonly isRepository?: boolean;
}

/**
 * The programs whose grammar is known; no other is ever read-only. Left out on purpose: what runs other programs (`env`,
 * `xargs`, `nohup`, `time`), what has a language of its own that can (`awk`, `perl`), pagers, what prints the environment
 * (`env`, `set`, `export`), and what asks the network.
 */
const programs: ReadonlyMap<string, ProgramGrammar> = new Map(
  [filePrograms, searchPrograms, systemPrograms, textPrograms].flatMap((table) => Object.entries(table)),
);

/** Longer ones are not looked at. */
const maxCommandChars = 10_000;

/** A `cd` that may fail leaves two folders in which the rest may run. */
const maxFolders = 8;

/**
 * The reads of a command that changes nothing; `undefined` where it may change something or where that cannot be known.
 * A git command reads the working folder, recursively, unless its operands say less.
 */
export function commandReads(command: string): readonly CommandRead[] | undefined {
  if (command.length > maxCommandChars) return undefined;
  const commands = splitCommand(command);
  if (commands === undefined) return undefined;
  const names = commands.map(({ words: [program] }) => program?.text);
  // Another folder's repository may name programs in its configuration.
  if (names.includes("cd") && names.includes("git")) return undefined;
  const reads: CommandRead[] = [];
  let folders: readonly string[] = [""];
  for (const [position, one] of commands.entries()) {
    if (names[position] === "cd") {
      const moved = moveFolders(one, commands.slice(position + 1), folders);
      if (moved === undefined) return undefined;
      folders = moved;
      continue;
    }
    const found = judgeCommand(one.words);
    if (found === undefined) return undefined;
    for (const read of folders.flatMap((folder) => found.map((each) => ({ ...each, folder })))) {
      const { word, folder, isListing, ...how } = read;
      const placed = { path: placePath(word, folder), isPattern: word.isPattern, ...how };
      if (mayReadKernel({ ...placed, isListing })) return undefined;
      reads.push(placed);
    }
  }
  return reads;
}

/**
 * Whether a command is known to change nothing, and to stay below what it names. Everything else is not, though it may be
 * harmless.
 */
export function isReadOnlyCommand(command: string): boolean {
  return commandReads(command)?.every(({ followsLinks }) => followsLinks !== true) ?? false;
}

function judgeCommand([program, ...rest]: readonly CommandWord[]): readonly ProgramRead[] | undefined {
  if (program === undefined || program.isPattern || rest.some(isOddTilde)) return undefined;
  if (program.text === "git") return judgeGit(rest);
  if (program.text === "ps") return judgePs(rest);
  const grammar = programs.get(program.text);
  return grammar && judgeProgram(rest, grammar);
}

/** Another user's home, or a folder that the shell remembers. */
function isOddTilde({ text, fixedChars }: CommandWord): boolean {
  return fixedChars === 0 && /^~[^/]/.test(text);
}

const home: CommandWord = { text: "~", isPattern: false, fixedChars: 0 };

/**
 * The folders in which the next commands may run: where `cd` leads, and where they were, unless it stands before all of
 * them and has to succeed. A `cd` in a pipeline moves nobody else, and is not known.
 */
function moveFolders(
  { words: [, ...operands], after }: SimpleCommand,
  next: readonly SimpleCommand[],
  folders: readonly string[],
): readonly string[] | undefined {
  const [target = home, ...more] = operands;
  const { text, isPattern } = target;
  if (more.length > 0 || isPattern || text === "" || text.startsWith("-") || isOddTilde(target))
    return undefined;
  if (after === "|" || next[0]?.after === "|") return undefined;
  const paths = folders.map((folder) => placePath(target, folder));
  // The folders above a home are not known by name.
  if (paths.some((path) => /^~.*\/\.\.(?:\/|$)/s.test(path))) return undefined;
  // The shell resolves `..` of a `cd` as text.
  const moved = paths.map((path) => (path.startsWith("./~") ? path : posix.normalize(path)));
  if (moved.some((path) => mayReadKernel({ path, isPattern, isRecursive: false, isListing: true })))
    return undefined;
  const mustSucceed = after !== "||" && next.every((one) => one.after === "&&" || one.after === "|");
  const possible = new Set(mustSucceed ? moved : [...moved, ...folders]);
  return possible.size > maxFolders ? undefined : [...possible];
}

/** A path from a folder, in which a `~` is at the beginning only if the shell replaces it. */
function placePath({ text, fixedChars }: CommandWord, folder: string): string {
  const isHome = text.startsWith("~") && fixedChars === 0;
  if (isHome || posix.isAbsolute(text)) return text;
  if (folder !== "") return `${folder.replace(/\/$/, "")}/${text}`;
  return text.startsWith("~") ? `./${text}` : text;
}

interface PathRead {
  /** With a `~` at the beginning for home. */
  readonly path: string;
  readonly isPattern: boolean;
  readonly isRecursive: boolean;
  /** Below a folder only names are read. */
  readonly isListing: boolean;
}

/** Below these stand processes with their environments and memory, devices, and switches of the kernel. */
const folders = ["proc", "dev", "sys"];

const harmless = new Set([
  "/dev/null",
  "/dev/stdin",
  "/proc/cpuinfo",
  "/proc/loadavg",
  "/proc/meminfo",
  "/proc/uptime",
  "/proc/version",
]);

/** Folders that may be or hold the root: a working folder is not known here. */
const upwards = /^(?:\/|\.\.(?:\/\.\.)*\/?)$/;

/** Whether it may read a file that a kernel makes up. Links are not followed: that is the file system's to tell. */
function mayReadKernel({ path, isPattern, isRecursive, isListing }: PathRead): boolean {
  const plain = posix.normalize(path.replace(/^~\/?/, "./"));
  if (harmless.has(plain) && !isPattern) return false;
  if (isRecursive && !isListing && upwards.test(plain)) return true;
  // A working folder may be the root.
  if (/^proc\/(?:self|thread-self|\d+)(?:\/|$)|(?:^|\/)environ$/i.test(plain)) return true;
  const above = /^(?:\/|(?:\.\.\/)+)/.exec(plain)?.[0];
  if (above === undefined) return false;
  const [first = "", ...rest] = plain.slice(above.length).split("/");
  if (!isPattern || !/[*?[]/.test(first)) return folders.includes(first.toLowerCase());
  if (above !== "/" && rest.length === 0 && !isRecursive) return false;
  return folders.some((folder) => mayMatch(first, folder));
}

/** Whether a pattern may stand for this name, a bracket and what follows it for anything. */
function mayMatch(pattern: string, name: string): boolean {
  const source = pattern
    .replace(/\[.*/s, "*")
    .replace(/[.+^${}()|\\\]]/g, "\\$&")
    .replaceAll("?", ".")
    .replace(/\*+/g, ".*");
  return new RegExp(`^${source}$`, "is").test(name);
}

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
function judgePs(words: readonly CommandWord[]): readonly ProgramRead[] | undefined {
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
