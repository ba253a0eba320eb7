import { readRunnable } from "./commands/runnable-commands.ts";
import { isUncertain, isUnknown } from "./commands/unknown-text.ts";
import { gitReads } from "./git-reads.ts";
import { namedWords } from "./named-words.ts";

/** A path as a command names it. */
export interface NamedRead {
  readonly path: string;
  readonly isPattern: boolean;
  readonly isRecursive: boolean;
  /** Whether files below are read through links too. */
  readonly followsLinks?: boolean;
  /** Where it is a folder, each file in it is read, through links. */
  readonly readsEntries?: boolean;
  /** Everything in the repository around this folder is read, and what was in it. */
  readonly isRepository?: boolean;
  /** A word of which nobody knows whether it is a path. */
  readonly isWord?: boolean;
}

export interface CommandReadings {
  readonly reads: readonly NamedRead[];
  /** It may read more than that. */
  readonly mayReadMore: boolean;
}

/**
 * The reads of a command. Where it may change something, or is more than a list of programs, what the parts of it that
 * only read would read: enough for saying no.
 */
export function readsOfCommand(
  command: string,
  commandReads: (command: string) => readonly NamedRead[] | undefined,
): CommandReadings {
  const known = commandReads(command);
  const { commands, files } = readRunnable(command);
  const readsOf = (words: readonly string[]): readonly NamedRead[] => {
    const named =
      commandReads(
        words
          .filter((word) => !isUnknown(word))
          .map(quoteWord)
          .join(" "),
      ) ?? [];
    return showsNames(words) ? named.map(toNames) : named;
  };
  if (known !== undefined) {
    const reads = commands.some(showsNames) ? commands.flatMap(readsOf) : known;
    return { reads, mayReadMore: false };
  }
  const folders = ["", ...new Set(commands.flatMap(foldersIn))];
  const text = {
    hasPatterns: /[*?[]/.test(command),
    usesNames: /\$\(|`/.test(command) || commands.some(usesNames),
  };
  const reads = commands
    .flatMap((words) => readsOfWords(words, commandReads, text))
    .concat(files.filter((file) => !isUnknown(file)).map(toRead))
    .concat(commands.some(takesNames) ? readsOfText(command) : []);
  if (folders.length * reads.length > maxReads) return { reads: [everything], mayReadMore: true };
  const all = folders.flatMap((folder) =>
    reads.map((read) => ({ ...read, path: inFolder(folder, read.path) })),
  );
  return { reads: [...new Map(all.map((read) => [JSON.stringify(read), read])).values()], mayReadMore: true };
}

/** Of the whole text in which a command stands. */
interface WholeText {
  readonly hasPatterns: boolean;
  /** Files one command lists may be what another reads. */
  readonly usesNames: boolean;
}

/** Where programs go by their own words. */
function foldersIn([program = "", ...rest]: readonly string[]): readonly string[] {
  if (/^(?:cd|pushd)$/.test(program)) return rest;
  return rest.flatMap((word, position) => {
    const [, option, value] = /^(-C|--directory|--chdir)=?([\s\S]+)?$/.exec(word) ?? [];
    return option === undefined ? [] : [value ?? rest[position + 1] ?? ""];
  });
}

/**
 * The reads of a program with its words where it is known, and what `find` and git come upon, whatever they do with
 * that. Of every other program what its words name.
 */
function readsOfWords(
  words: readonly string[],
  commandReads: (command: string) => readonly NamedRead[] | undefined,
  text: WholeText,
): readonly NamedRead[] {
  const [called = "", ...rest] = words.filter((word) => !isUnknown(word));
  const program = called.replace(/^.*\//s, "");
  const reads = (known: readonly string[]) => commandReads([program, ...known].map(quoteWord).join(" "));
  const written = namedWords(words, text.hasPatterns);
  if (program === "git") return [...readsOfGit(words, reads, text), ...written];
  const isOddTilde = (word: string) => /^~[^/]/.test(word);
  const named = rest.some(isOddTilde) ? undefined : reads(rest);
  if (named !== undefined) return named;
  if (/^g?find$/.test(program)) return [...foldersOfFind(rest), ...written];
  const odd: NamedRead[] = [];
  const plain = rest.map((word) => {
    const [, option = "", path = ""] = /^(-[^/]*)?([\s\S]*)$/.exec(word) ?? [];
    if (path === "" || isKnownPlace(path)) return word;
    odd.push({ ...toRead(path), isRecursive: true });
    return `${option}/dev/null`;
  });
  const besides = odd.length === 0 ? undefined : reads(plain);
  if (besides !== undefined) return [...odd, ...besides];
  // Options or a script that are not known: every word may be a file.
  const isReader = [["/dev/null"], ["1p", "/dev/null"]].some((own) => isReadBy(own));
  const isRecursive = goingDown.test(program);
  const operands = isReader ? rest.filter((word) => /^[^-]/.test(word)) : [];
  return [...operands.map((word) => ({ ...toRead(word), isRecursive })), ...written];

  /** Whether the program is one that reads what it names. */
  function isReadBy(own: readonly string[]): boolean {
    return reads(own)?.some(({ path }) => path === "/dev/null") ?? false;
  }

  /** Not what the kernel makes up, nor a folder that the shell remembers. */
  function isKnownPlace(path: string): boolean {
    return !isOddTilde(path) && commandReads(`grep -re x -- ${quoteWord(path)}`) !== undefined;
  }
}

/** The reads of git by its own grammar where that is known, from the folder it goes to first. */
function readsOfGit(
  [program = "", ...given]: readonly string[],
  known: (rest: readonly string[]) => readonly NamedRead[] | undefined,
  text: WholeText,
): readonly NamedRead[] {
  const { folder, words, shows } = gitReads([program, ...given]);
  const own = words.some(isUnknown) ? undefined : known(words);
  const isUsed = text.usesNames && listingCommands.has(words[0] ?? "");
  if (showsNames(["git", ...words]) && !isUsed) return (own ?? []).map(toNames);
  const repository: NamedRead = { path: ".", isPattern: false, isRecursive: true, isRepository: true };
  const isEverything = shows === "everything" || (shows === "nothing" && isUsed);
  const paths = typeof shows === "string" ? [] : shows;
  const shown =
    own ??
    (isEverything ? [repository] : paths.map((path) => ({ path, isPattern: false, isRecursive: true })));
  return shown.map((read) => ({ ...read, path: inFolder(folder, read.path) }));
}

const goingDown = /^(?:[ef]?grep|rg|diff|ls|du|tree)$/;

function foldersOfFind(words: readonly string[]): readonly NamedRead[] {
  const followsLinks = words.some((word) => /^-(?:L|H|follow)$/.test(word));
  const begin = words.findIndex((word) => !/^-(?:[HLPEXdsx]+|O\d?|D|-)$/.test(word));
  const own = begin < 0 ? [] : words.slice(begin);
  const end = own.findIndex((word) => /^[-(!]/.test(word));
  const folders = end < 0 ? own : own.slice(0, end);
  return (folders.length === 0 ? ["."] : folders).map((folder) => ({
    ...toRead(folder),
    isRecursive: true,
    ...(followsLinks && { followsLinks }),
  }));
}

/** Git commands that name files. */
const listingCommands: ReadonlySet<string> = new Set(["log", "ls-files", "ls-tree", "stash", "status"]);

/** Programs that read the files whose names they are fed with. */
function usesNames(words: readonly string[]): boolean {
  return takesNames(words) || /(?:^|\/)(?:afio|bsdtar|cpio|pax|rsync|tar|zip)$/.test(words[0] ?? "");
}

/** Programs and words of the shell that take names of files from what they are fed with. */
function takesNames([program = ""]: readonly string[]): boolean {
  return /(?:^|\/)(?:g?xargs|parallel|read|mapfile|readarray)$/.test(program);
}

/** Where there are more, a command is taken for one that reads everything. */
const [maxNames, maxReads] = [500, 5_000];
const everything: NamedRead = { path: "/", isPattern: false, isRecursive: true };

/** Everything in a text that may be the name of a file; all there is where that is too much. */
function readsOfText(text: string): readonly NamedRead[] {
  const names = new Set(text.split(/\\[nt0]|[\s'"\\;|&<>()`$={},]/).filter((name) => /^[^-~]/.test(name)));
  if (names.size > maxNames) return [everything];
  return [...names].map((path) => ({ path, isPattern: /[*?[]/.test(path), isRecursive: false }));
}

function toRead(file: string): NamedRead {
  return { path: file.replace(/[\ue000-\ue002]/g, "*"), isPattern: isUncertain(file), isRecursive: false };
}

function inFolder(folder: string, path: string): string {
  return folder === "" || folder.startsWith("-") || /^[/~]/.test(path) ? path : `${folder}/${path}`;
}

/** A word as a shell reads it back, where it is home with its tilde; what is not known of it is a star. */
function quoteWord(word: string): string {
  const home = /^~(?=\/|$)/.exec(word)?.[0] ?? "";
  const rest = word
    .slice(home.length)
    .split(/([\ue000-\ue002])/)
    .map((part) =>
      isUncertain(part) ? "*" : /^[\w./-]*$/.test(part) ? part : `'${part.replaceAll("'", "'\\''")}'`,
    )
    .join("");
  return home + rest;
}

const namingCommands: ReadonlySet<string> = new Set(
  "branch config describe for-each-ref log ls-files merge-base reflog remote rev-list rev-parse shortlog stash status tag worktree".split(
    " ",
  ),
);
const namingOption =
  /^(?:--$|--(?:oneline|graph|decorate|all|stat|shortstat|numstat|name-only|name-status|merges|no-merges|reverse|abbrev-commit|short|branch|porcelain|ignored|show-toplevel|abbrev-ref|list|verbose|tags|remotes|no-pager|others|cached|exclude-standard|get|get-all)$|--(?:format|pretty|date|since|until|after|before|author|grep|max-count|decorate|abbrev|short|porcelain|sort|untracked-files|contains|merged)=|-(?:\d+|n\d*|s|b|v|vv|a|r|l|sb)$)/;

/** Of what is read only the names are shown, and nothing of the repository's files. */
function toNames({ isRepository: _, ...read }: NamedRead): NamedRead {
  return { ...read, isRecursive: false };
}

/** Git commands that look at a folder and show names and messages, not what is in its files. */
function showsNames(words: readonly string[]): boolean {
  const [program, ...rest] = words;
  const position = rest.findIndex((word) => word !== "--no-pager");
  if (program !== "git" || !namingCommands.has(rest[position] ?? "")) return false;
  const own = rest.slice(position + 1);
  if (rest[position] === "stash" && own[0] !== "list") return false;
  if (rest[position] === "status" && own.some((word) => /^(?:-\w*v|--verbose)/.test(word))) return false;
  return own.every((word) => !isUnknown(word) && (!word.startsWith("-") || namingOption.test(word)));
}
