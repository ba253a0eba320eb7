import {
  foldPath,
  isProtectedPath,
  protectedFiles,
  protectedFolders,
  type Token,
  tokensMeet,
} from "@palimpsest/core/internal";
import { readRunnable } from "./commands/runnable-commands.ts";
import { lastName } from "./commands/shell-names.ts";
import { anyCharacter, anyText, isUncertain } from "./commands/unknown-text.ts";

/** Programs that write to what they name. */
const writers: ReadonlySet<string> = new Set(
  "7z bsdtar cp cpio csplit dd ed emacs ex install ln mv nano patch rsync scp split sponge tar tee truncate unzip vi vim".split(
    " ",
  ),
);

/** Programs that write to what they name with such an option. */
const writesInPlace: Readonly<Record<string, RegExp>> = {
  awk: /^(?:inplace|--include=inplace|-iinplace)$/,
  gawk: /^(?:inplace|--include=inplace|-iinplace)$/,
  perl: /^-\w*i/,
  ruby: /^-\w*i/,
  sed: /^(?:-\w*i|--in-place)/,
  yq: /^(?:-\w*i|--inplace)/,
};

/** Programs that write to the value of such an option, behind it or in the word that comes next. */
const outputOptions: Readonly<Record<string, RegExp>> = {
  curl: /^(?:-[a-zA-Z]*?[oDc]|--(?:output|output-dir|dump-header|cookie-jar)(?:=|$))/,
  iconv: /^(?:-o|--output(?:=|$))/,
  openssl: /^-out$/,
  shuf: /^(?:-o|--output(?:=|$))/,
  sort: /^(?:-o|--output(?:=|$))/,
  wget: /^(?:-[a-zA-Z]*?[OPoa]|--(?:output-document|directory-prefix|output-file|append-output)(?:=|$))/,
};

/** Programs, and words of the shell, that change nothing that they name. */
const readers: ReadonlySet<string> = new Set(
  "[ [[ case cat cmp cut diff du echo egrep export fgrep file for grep head less ls more printf rg select stat tail test tr tree wc".split(
    " ",
  ),
);

/** Options of git itself whose value is the next word. */
const gitValueOptions =
  /^(?:-[cC]|--(?:git-dir|work-tree|namespace|exec-path|super-prefix|config-env|attr-source))$/;
/** Subcommands of git that leave the files alone that they name. */
export const harmlessGit = new Set(["add", "blame", "commit", "diff", "log", "push", "show", "status"]);
/** Lasting settings of git by a first word: programs that it runs, and places that it talks to. */
const lastingGit: Readonly<Record<string, RegExp>> = {
  config: /^/,
  remote: /^(?:add|set-url|rename)$/,
  submodule: /^(?:add|set-url|init)$/,
  maintenance: /^(?:register|start)$/,
  lfs: /^install$/,
};

const maxJoined = 5_000;

/**
 * The obeyed files a command names though its letters do not say it: by patterns, variables, names that another program
 * feeds it with, from another folder, or by git's own way to write its configuration. As a person would name it.
 */
export function namedByCommand(
  command: string,
  isReadOnlyCommand: (command: string) => boolean,
  protectedPaths: readonly string[] = [],
): string | undefined {
  const { commands, outputs, unknown } = readRunnable(command);
  if (unknown !== undefined && commands.length === 0) return "what a command of this size may write to";
  const isSubstituted = /[$`]|dotglob|extglob|GLOBIGNORE/.test(command);
  const isGuarded = (word: string, isWritten: boolean) =>
    isUncertain(word)
      ? (isWritten && isSubstituted) || couldBeGuarded(word, isWritten)
      : isProtectedPath(word, protectedPaths);

  for (const words of commands) {
    const found = ofGit(words) ?? ofFed(words) ?? ofProgram(words);
    if (found !== undefined) return found;
  }
  const output = outputs.find((word) => isGuarded(word, true));
  return output === undefined ? inOtherFolder() : toPattern(output);

  function ofGit([program = "", ...rest]: readonly string[]): string | undefined {
    const own = lastName(program) === "git" ? subcommandOf(rest) : [];
    const [sub = "", first = ""] = own;
    const isLasting = isUncertain(sub) || (Object.hasOwn(lastingGit, sub) && lastingGit[sub]?.test(first));
    if (own.length === 0 || !isLasting) return undefined;
    if (!own.some(isUncertain) && isReadOnlyCommand(["git", ...own].map(quoteWord).join(" ")))
      return undefined;
    return `git's configuration (git ${toPattern(sub)})`;
  }

  /** `{}` and what stands behind: names that come from elsewhere. */
  function ofFed([program = "", ...rest]: readonly string[]): string | undefined {
    const name = lastName(program);
    const isFed =
      (/^(?:g?xargs|parallel)$/.test(name) &&
        rest.some((word, position) => writes(lastName(word), rest.slice(position + 1)))) ||
      (writes(name, rest) && rest.some((word) => word.includes("{}")));
    return isFed ? `files whose names ${name} is given when it runs, perhaps` : undefined;
  }

  function ofProgram([program = "", ...rest]: readonly string[]): string | undefined {
    const name = lastName(program);
    if (readers.has(name)) return undefined;
    const [sub = "", ...own] = name === "git" ? subcommandOf(rest) : [];
    if (harmlessGit.has(sub)) return undefined;
    const isWriter = writes(name, rest) || sub === "mv" || sub === "restore";
    const written = outputValues(name, rest).find((word) => isGuarded(word, true));
    const named = (name === "git" ? own.map(toPathspec) : rest)
      .flatMap(placesIn)
      .find((word) => isGuarded(word, isWriter));
    const found = written ?? named;
    return found === undefined ? undefined : toPattern(found);
  }

  /** Names that are obeyed where a command has gone before. */
  function inOtherFolder(): string | undefined {
    const folders = commands.flatMap(([program = "", ...rest]) =>
      /^(?:cd|pushd)$/.test(program) ? rest.filter((word) => !word.startsWith("-")) : [],
    );
    const names = commands.flatMap(([program = "", ...rest]) => (readers.has(lastName(program)) ? [] : rest));
    const all = [...names, ...outputs].filter((name) => !name.startsWith("/") && !isUncertain(name));
    if (folders.length * all.length > maxJoined) return "what a command of this size may write to";
    return folders
      .flatMap((folder) => all.map((name) => `${folder}/${name}`))
      .find((path) => isProtectedPath(path, protectedPaths));
  }

  /** Whether the word could turn out to be a guarded path. Where it is not written to, bare stars are no names. */
  function couldBeGuarded(word: string, isWritten: boolean): boolean {
    const names = foldPath(word).split("/").filter(Boolean);
    const fits = (name: string | undefined, guarded: string) =>
      name !== undefined && nameFits(name, guarded, isWritten);
    const last = names.at(-1) ?? "";
    if (isUncertain(last) && protectedFiles.some((guarded) => fits(last, guarded))) return true;
    const isFolder = protectedFolders.some((folder) => {
      const wanted = folder.split("/");
      return names.some((_, at) => wanted.every((guarded, position) => fits(names[at + position], guarded)));
    });
    const isNamed = protectedPaths.some((path) => {
      const wanted = foldPath(path).split("/").filter(Boolean);
      return word.startsWith("/") && wanted.every((guarded, position) => fits(names[position], guarded));
    });
    return isFolder || isNamed;
  }

  function nameFits(name: string, guarded: string, isWritten: boolean): boolean {
    if (!isUncertain(name)) return name === guarded;
    const tokens = [...name].map(toToken);
    if (!isWritten && tokens.every(({ kind }) => kind !== "character")) return false;
    if (!isSubstituted && guarded.startsWith(".") && tokens[0]?.kind !== "character") return false;
    return tokensMeet([...guarded].map(literal), tokens);
  }
}

function writes(name: string, rest: readonly string[]): boolean {
  const inPlace = Object.hasOwn(writesInPlace, name) ? writesInPlace[name] : undefined;
  return writers.has(name) || rest.some((word) => inPlace?.test(word) === true);
}

function outputValues(name: string, rest: readonly string[]): readonly string[] {
  const option = Object.hasOwn(outputOptions, name) ? outputOptions[name] : undefined;
  if (option === undefined) return [];
  return rest.flatMap((word, position) => {
    const [found] = option.exec(word) ?? [];
    if (found === undefined) return [];
    return [found.length < word.length ? word.slice(found.length) : (rest[position + 1] ?? "")];
  });
}

/** A word, and what in it may be a path: the value of an option or of a setting. */
function placesIn(word: string): readonly string[] {
  const value = /^[^=/]+=([\s\S]+)$/.exec(word)?.[1];
  const attached = /^-\w([\s\S]+)$/.exec(word)?.[1];
  return [word, ...[value, attached].flatMap((one) => one ?? [])];
}

/** Git reads patterns by itself, also those that the shell was kept from. */
function toPathspec(word: string): string {
  return word.replaceAll("*", anyText).replaceAll(/\?|\[[^\]]+\]/g, anyCharacter);
}

function subcommandOf(rest: readonly string[]): readonly string[] {
  let at = 0;
  while (at < rest.length && rest[at]?.startsWith("-")) at += gitValueOptions.test(rest[at] ?? "") ? 2 : 1;
  return rest.slice(at);
}

function toToken(value: string): Token {
  if (value === anyCharacter) return { kind: "one" };
  return isUncertain(value) ? { kind: "anything" } : literal(value);
}

function literal(value: string): Token {
  return { kind: "character", value };
}

function toPattern(word: string): string {
  return [...word].map((one) => (one === anyCharacter ? "?" : isUncertain(one) ? "*" : one)).join("");
}

function quoteWord(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
