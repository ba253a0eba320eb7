import { type CommandPart, splitCommand, trimCommand } from "./command-scanner.ts";
import type { PatternRefusal } from "./path-pattern.ts";

export type CommandPattern =
  /** The command as it is written. */
  | { readonly kind: "command"; readonly form: "exact"; readonly text: string }
  /** Every command that begins with these words. */
  | { readonly kind: "command"; readonly form: "prefix"; readonly words: readonly string[] };

/** A word that no shell reads as anything but itself. */
const plainWords = /^[^\s'"`$\\;&|<>(){}*?[\]#]+(?: [^\s'"`$\\;&|<>(){}*?[\]#]+)*$/;

/** `npm test` is that command alone, `git diff:*` every one that begins so. `\*` is a star of the command itself. */
export function parseCommandPattern(text: string): CommandPattern | PatternRefusal {
  const trimmed = trimCommand(text);
  const isPrefix = trimmed.endsWith(":*");
  const prefix = trimmed.slice(0, -2).trim();
  if (isPrefix && plainWords.test(prefix)) {
    return { kind: "command", form: "prefix", words: prefix.split(" ") };
  }
  const [first = "git status"] = /^[\w./-]+(?: [\w./-]+)*/.exec(trimmed) ?? [];
  if (isPrefix)
    return { problem: "a beginning is made of plain words of one command", instead: `${first}:*` };
  if (/(?<!\\)\*/.test(trimmed)) {
    return { problem: "a star stands only behind a colon at the end", instead: `${first}:*` };
  }
  return { kind: "command", form: "exact", text: trimmed.replaceAll("\\*", "*") };
}

/** The rule's text for one command and no other. */
export function toExactCommand(command: string): string {
  return trimCommand(command).replaceAll("*", "\\*");
}

/**
 * For saying yes: the whole command is named, or it is plain and each of its parts is named or known to change nothing.
 * Gives the position of the rule that decided last.
 */
export function allowingPattern(
  patterns: readonly CommandPattern[],
  command: string,
  isReadOnlyCommand: (command: string) => boolean,
): number | undefined {
  const whole = patterns.findIndex(({ form, ...rest }) => form === "exact" && isText(rest, command));
  if (whole >= 0) return whole;
  const { parts, isPlain } = splitCommand(command);
  if (!isPlain || parts.length === 0) return undefined;
  let decided: number | undefined;
  for (const part of parts) {
    const found = patterns.findIndex((pattern) => allowsPart(pattern, part));
    if (found >= 0) decided = found;
    else if (!isReadOnlyCommand(part.text)) return undefined;
  }
  return decided;
}

function isText(pattern: object, command: string): boolean {
  return "text" in pattern && pattern.text === trimCommand(command);
}

function allowsPart(pattern: CommandPattern, { text, words, hasAssignment }: CommandPart): boolean {
  if (pattern.form === "exact") return pattern.text === text;
  return !hasAssignment && pattern.words.every((word, position) => words[position] === word);
}

/**
 * Whether a pattern with wildcards, each of which stands for any number of elements, matches a whole sequence. Takes at
 * most the product of both lengths, whatever the pattern: a rule may come from somebody else's repository.
 */
export function matchSequence<Part, Element>(
  pattern: readonly Part[],
  sequence: readonly Element[],
  isWildcard: (part: Part) => boolean,
  matches: (part: Part, element: Element) => boolean,
): boolean {
  let [at, position] = [0, 0];
  let retry: { readonly at: number; place: number } | undefined;
  while (position < sequence.length) {
    const part = pattern[at];
    if (at < pattern.length && isWildcard(part as Part)) {
      retry = { at: at + 1, place: position };
      at += 1;
    } else if (at < pattern.length && matches(part as Part, sequence[position] as Element)) {
      at += 1;
      position += 1;
    } else if (retry !== undefined) {
      retry.place += 1;
      at = retry.at;
      position = retry.place;
    } else return false;
  }
  return pattern.slice(at).every(isWildcard);
}
