import { isUncertain, isUnknown } from "./commands/unknown-text.ts";
import type { NamedRead } from "./reads-of-command.ts";

/** Longer ones are no paths. */
const maxPathChars = 4_096;
const maxNameChars = 255;
/** Letters of options that may stand in one word before a value. */
const maxLetters = 6;

const marks = /[\ue000-\ue002]/g;

/**
 * Everything in the words of a program of which nothing is known that may be the path of a file: words, values behind `=`,
 * `@`, `:` and the letters of an option, addresses of files. Words with patterns only where the shell grows any.
 */
export function namedWords(words: readonly string[], hasPatterns: boolean): readonly NamedRead[] {
  const [program = "", ...rest] = words;
  const all = [...(program.includes("/") ? [program] : []), ...rest.flatMap(pathsIn)];
  return [...new Set(all.flatMap((path) => spellings(path, hasPatterns)))].filter(isPathLike).map((path) => ({
    path: path.replace(marks, "*"),
    isPattern: isUncertain(path),
    isRecursive: false,
    isWord: true,
  }));
}

function pathsIn(word: string): readonly string[] {
  if (isUnknown(word)) return [];
  const values = [word, ...pathsAfterSigns(word), ...pathsAfterLetters(word)].map((value) =>
    value.replace(/^[@<]+/, ""),
  );
  const parts = values.flatMap((value) => [value, ...(isAddress(value) ? [] : value.split(/[:,]/))]);
  return parts.flatMap((part) => fileAddress(part) ?? (isAddress(part) ? [] : [part]));
}

/** `key=path`, `--option=path`, `name=@path`. */
function pathsAfterSigns(word: string): readonly string[] {
  const position = word.indexOf("=");
  if (position < 0) return [];
  const value = word.slice(position + 1);
  return [value, ...pathsAfterSigns(value).slice(-1)];
}

/** `-fpath`, `-xfpath`. */
function pathsAfterLetters(word: string): readonly string[] {
  const letters = /^-([a-zA-Z]+)/.exec(word)?.[1]?.length ?? 0;
  return Array.from({ length: Math.min(letters, maxLetters) }, (_, count) => word.slice(count + 2));
}

const isAddress = (text: string) => /^[a-z][a-z\d+.-]*:\/\//i.test(text);

/** The path in `file:///path`, `file://host/path`, `file:path`. */
function fileAddress(text: string): string | undefined {
  const [, path] = /^file:(?:\/\/[^/]*)?([^?#]*)/i.exec(text) ?? [];
  if (path === undefined) return undefined;
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** A path that begins with something unknown may begin where the command runs: `$PWD/path`. */
function spellings(path: string, hasPatterns: boolean): readonly string[] {
  if (!isUncertain(path)) return [path];
  const here = path.replace(/^[\ue000-\ue002]+\/+/, "");
  return [...(hasPatterns ? [path] : []), ...(isUncertain(here) ? [] : [here])];
}

function isPathLike(path: string): boolean {
  return (
    path !== "" &&
    !path.includes("\0") &&
    !isUnknown(path) &&
    path.length <= maxPathChars &&
    path.split("/").every((name) => name.length <= maxNameChars)
  );
}
