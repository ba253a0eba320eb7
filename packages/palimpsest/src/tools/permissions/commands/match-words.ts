import { foldPath } from "@palimpsest/core/internal";
import { isUncertain, isUnknown, mayBeWords, mayEqual } from "./unknown-text.ts";

/** A rule's words, taken apart once. */
export interface WantedWords {
  readonly program: string;
  /** In their order. */
  readonly operands: readonly string[];
  /** Wherever they stand. */
  readonly options: readonly string[];
  /** Nothing else may stand behind them. */
  readonly isWhole: boolean;
}

/** Short and long spellings that mean one thing to most programs. */
const shortForms: Readonly<Record<string, string>> = {
  "--all": "a",
  "--delete": "d",
  "--force": "f",
  "--no-verify": "n",
  "--recursive": "r",
};

export function toWantedWords(words: readonly string[], isWhole: boolean): WantedWords {
  const [program = "", ...rest] = words.map(foldPath);
  const isOption = (word: string) => /^-./.test(word);
  return {
    program: plainProgram(program),
    operands: rest.filter((word) => !isOption(word)),
    options: rest.filter(isOption),
    isWhole,
  };
}

/**
 * Whether a command could be what the rule names: options, with a value each, may stand between the words, and its own
 * options in any order and spelling. `could`: only if an uncertain word turns out so.
 */
export function matchWords(wanted: WantedWords, command: readonly string[]): "is" | "could" | undefined {
  const [program = "", ...rest] = command.map(foldPath);
  if (mayBeWords(program)) return "could";
  const name = plainProgram(program);
  const isProgram = wanted.program.includes("/")
    ? isSamePath(name, wanted.program)
    : mayEqual(lastName(name), wanted.program);
  if (!isProgram || !hasOptions(wanted.options, rest)) return undefined;
  const found = matchOperands(wanted, rest);
  return found && isUncertain(program) ? "could" : found;
}

function isSamePath(path: string, wanted: string): boolean {
  const end = wanted.replace(/^(?:\.?\/)+/, "");
  return path.includes("/")
    ? mayEqual(path, wanted) || path.endsWith(`/${end}`) || path === end
    : lastName(end) === path;
}

function matchOperands({ operands, options, isWhole }: WantedWords, rest: readonly string[]) {
  let reached = new Map<number, boolean>([[0, true]]);
  let mayBeValue = false;
  let finished: "is" | "could" | undefined;
  for (let position = 0; ; position += 1) {
    const isCertain = reached.get(operands.length);
    if (isCertain !== undefined && (!isWhole || isRestOf(options, rest.slice(position)))) {
      finished = isCertain ? "is" : (finished ?? "could");
      if (finished === "is") return finished;
    }
    const word = rest[position];
    if (word === undefined || reached.size === 0) return finished;
    if (mayBeWords(word) && !mayBeValue && !isWhole) return "could";
    if (/^-./.test(word)) {
      mayBeValue = !/^--no-|=/.test(word);
      if (isWhole && !isRestOf(options, [word])) reached.delete(operands.length);
      continue;
    }
    const next = new Map<number, boolean>(mayBeValue ? reached : []);
    for (const [count, isKnown] of reached) {
      const wanted = operands[count];
      if (wanted === undefined || (mayBeValue && isUnknown(word)) || !mayEqual(word, wanted)) continue;
      next.set(count + 1, next.get(count + 1) || (isKnown && !isUncertain(word)));
    }
    reached = next;
    mayBeValue = false;
  }
}

function isRestOf(options: readonly string[], rest: readonly string[]): boolean {
  return rest.every((word) => /^-./.test(word) && options.some((option) => hasOptions([word], [option])));
}

function hasOptions(wanted: readonly string[], words: readonly string[]): boolean {
  if (wanted.length === 0) return true;
  const given = words.filter((word) => /^-./.test(word));
  const letters = new Set(
    given.flatMap((word) => (/^-[^-]/.test(word) ? [...word.slice(1)] : [shortForms[longName(word)] ?? ""])),
  );
  return wanted.every((option) => {
    if (given.some((word) => mayEqual(word, option))) return true;
    if (/^-[^-]/.test(option)) return [...option.slice(1)].every((letter) => letters.has(letter));
    const short = shortForms[option];
    return (
      (short !== undefined && letters.has(short)) ||
      given.some(
        (word) => longName(word) === option || (/^--\w{2}/.test(word) && option.startsWith(longName(word))),
      )
    );
  });
}

/** Also where it is cut short, as most programs allow. */
function longName(word: string): string {
  const name = word.replace(/=.*$/s, "");
  if (Object.hasOwn(shortForms, name) || name.length < 5) return name;
  return Object.keys(shortForms).find((form) => form.startsWith(name)) ?? name;
}

function plainProgram(program: string): string {
  return program.replace(/^=/, "").replace(/\.exe$/, "");
}

function lastName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
