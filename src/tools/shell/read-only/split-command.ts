/** A word of a command: what the program gets, if no pattern in it grows. */
export interface CommandWord {
  readonly text: string;
  /** It has an unquoted `*`, `?` or `[`: names of files may stand in its place. */
  readonly isPattern: boolean;
}

const separators = /^(?:&&|\|\||\||;)/;

/**
 * The simple commands of a line of pipelines and lists, each as its words; `undefined` for everything that is more:
 * redirects, substitutions, variables, subshells, background, comments, several lines. It reads less than the shell
 * does and never otherwise.
 */
export function splitCommand(line: string): readonly (readonly CommandWord[])[] | undefined {
  if (hasControlCharacter(line)) return undefined;
  const commands: CommandWord[][] = [[]];
  let rest = line.replace(/^[ \t]+/, "");
  while (rest !== "") {
    const separator = separators.exec(rest)?.[0];
    if (separator !== undefined) {
      commands.push([]);
      rest = rest.slice(separator.length).replace(/^[ \t]+/, "");
      continue;
    }
    const read = readWord(rest);
    if (read === undefined) return undefined;
    commands.at(-1)?.push(read.word);
    rest = read.rest.replace(/^[ \t]+/, "");
  }
  const isEndedBySemicolon = commands.length > 1 && commands.at(-1)?.length === 0 && /;\s*$/.test(line);
  const whole = isEndedBySemicolon ? commands.slice(0, -1) : commands;
  return whole.some((words) => words.length === 0) ? undefined : whole;
}

/** Tabs are blanks; everything else below a space, and DEL, is a trick or not one line. */
function hasControlCharacter(line: string): boolean {
  for (const character of line) {
    const code = character.codePointAt(0) ?? 0;
    if ((code < 0x20 && code !== 0x09) || code === 0x7f) return true;
  }
  return false;
}

/** Characters that stand for themselves outside quotes. */
const plain = /^[A-Za-z0-9_@%+=:,./^~-]/;

function readWord(text: string): { readonly word: CommandWord; readonly rest: string } | undefined {
  let word = "";
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
      isPattern ||= /^[*?[]/.test(rest);
      word += rest.charAt(0);
      at += 1;
    } else {
      return undefined;
    }
  }
  return { word: { text: word, isPattern }, rest: text.slice(at) };
}
