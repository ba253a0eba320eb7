/** A word of a command: what the program gets, if nothing in it grows. */
export interface CommandWord {
  readonly text: string;
  /** It has an unquoted `*`, `?` or `[`: names of files may stand in its place. */
  readonly isPattern: boolean;
  /** How many characters at the beginning stay as they are, whatever grows: a `~` and patterns do. */
  readonly fixedChars: number;
}

/** The operator between a command and the one before it. */
export type Separator = "&&" | "||" | "|" | ";";

export interface SimpleCommand {
  readonly words: readonly CommandWord[];
  /** Absent for the first. */
  readonly after?: Separator;
}

const separators = /^(?:&&|\|\||\||;)/;

/**
 * The simple commands of a line of pipelines and lists; `undefined` for everything that is more: redirects,
 * substitutions, variables, subshells, background, comments, several lines. It reads less than the shell does and never
 * otherwise.
 */
export function splitCommand(line: string): readonly SimpleCommand[] | undefined {
  if (hasControlCharacter(line)) return undefined;
  const commands: { readonly words: CommandWord[]; readonly after?: Separator }[] = [{ words: [] }];
  let rest = line.replace(/^[ \t]+/, "");
  while (rest !== "") {
    const separator = separators.exec(rest)?.[0] as Separator | undefined;
    if (separator !== undefined) {
      commands.push({ words: [], after: separator });
      rest = rest.slice(separator.length).replace(/^[ \t]+/, "");
      continue;
    }
    const read = readWord(rest);
    if (read === undefined) return undefined;
    commands.at(-1)?.words.push(read.word);
    rest = read.rest.replace(/^[ \t]+/, "");
  }
  const last = commands.at(-1);
  const isEndedBySemicolon = last?.after === ";" && last.words.length === 0;
  const whole = isEndedBySemicolon ? commands.slice(0, -1) : commands;
  return whole.some(({ words }) => words.length === 0) ? undefined : whole;
}

/** Tabs are blanks; everything else below a space, DEL and what has no character of its own is a trick or not one line. */
function hasControlCharacter(line: string): boolean {
  for (const character of line) {
    const code = character.codePointAt(0) ?? 0;
    if ((code < 0x20 && code !== 0x09) || (code >= 0x7f && code < 0xa0)) return true;
    if (code >= 0xd800 && code <= 0xdfff) return true;
  }
  return false;
}

/** Characters that stand for themselves outside quotes. */
const plain = /^[A-Za-z0-9_@%+=:,./^~!-]/;

function readWord(text: string): { readonly word: CommandWord; readonly rest: string } | undefined {
  let word = "";
  let fixedChars: number | undefined;
  let isPattern = false;
  let at = 0;
  while (at < text.length && !/^(?:[ \t]|&&|\||;)/.test(text.slice(at, at + 2))) {
    const rest = text.slice(at);
    const quoted = /^'([^']*)'/.exec(rest) ?? /^"((?:[^"\\$`]|\\.)*)"/.exec(rest);
    if (quoted) {
      word += rest.startsWith('"') ? (quoted[1] ?? "").replace(/\\([\\"$`])/g, "$1") : (quoted[1] ?? "");
      at += quoted[0].length;
    } else if (/^\\[\x20-\x7e]/.test(rest)) {
      word += rest.charAt(1);
      at += 2;
    } else if (/^[*?[\]]/.test(rest) || plain.test(rest)) {
      const isGrowing = /^[*?[]/.test(rest);
      if (isGrowing || (at === 0 && rest.startsWith("~"))) fixedChars ??= word.length;
      isPattern ||= isGrowing;
      word += rest.charAt(0);
      at += 1;
    } else {
      return undefined;
    }
  }
  return {
    word: { text: word, isPattern, fixedChars: fixedChars ?? word.length },
    rest: text.slice(at),
  };
}
