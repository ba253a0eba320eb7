import { posix } from "node:path";
import { judgeGit } from "./git/judge-git.ts";
import { judgeProgram, type ProgramRead } from "./judge-program.ts";
import { judgePs } from "./judge-ps.ts";
import { mayReadKernel } from "./kernel-paths.ts";
import type { ProgramGrammar } from "./program-grammar.ts";
import { filePrograms } from "./programs/file-programs.ts";
import { searchPrograms } from "./programs/search-programs.ts";
import { systemPrograms } from "./programs/system-programs.ts";
import { textPrograms } from "./programs/text-programs.ts";
import { type CommandWord, type SimpleCommand, splitCommand } from "./split-command.ts";

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
  /** What lies below is read through links too, so that it cannot be told what that is: `grep -R`, `find -L`. */
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
 * What a command that changes nothing would read; `undefined` where it may change something or where that cannot be
 * known. A git command reads the working folder, recursively, unless its operands say less.
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
  // What stands above a home is not known by name.
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
