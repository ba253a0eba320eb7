import {
  findLong,
  isGuarded,
  type OptionForm,
  type ProgramGrammar,
  readOptionForms,
  type ValueKind,
} from "./program-grammar.ts";
import type { CommandWord } from "./split-command.ts";

export interface Arguments {
  readonly operands: readonly CommandWord[];
  /** Values that are paths, and those that another system's program may take for operands. */
  readonly paths: readonly CommandWord[];
  /** Whether one of these options was given, or may have been: a pattern can grow into options. */
  has(names: readonly string[]): boolean;
  /** Whether one of these options was given. */
  isWritten(names: readonly string[]): boolean;
}

const numberSyntax = /^[-+]?(?:\d|\.\d)[\w.,:%]*$/;

/**
 * The words behind a program as it reads them; `undefined` where an option is unknown or not allowed, a value is missing
 * or doubtful, or more options may appear than are written.
 */
export function readArguments(words: readonly CommandWord[], grammar: ProgramGrammar): Arguments | undefined {
  const { style = "letters", isShortening = false, hasCount = false, optionsAfterOperand } = grammar;
  const forms = readOptionForms(grammar.options ?? "");
  const guarded = isGuarded(grammar, forms);
  const given = new Set<OptionForm>();
  const operands: CommandWord[] = [];
  const paths: CommandWord[] = [];
  let mayGrowOptions = false;
  let isEnded = false;
  let at = 0;

  function takeValue(kind: ValueKind, word: CommandWord | undefined, isSeparate: boolean): boolean {
    if (word === undefined) return false;
    if (kind === "number" && !numberSyntax.test(word.text)) return false;
    if (isSeparate) {
      const isDashed = /^-./.test(word.text) && !numberSyntax.test(word.text);
      if ((isDashed || word.isPattern) && guarded) return false;
      // A pattern may be many words, and BSD programs take everything behind an operand for operands.
      if (word.isPattern || (isShortening && operands.length > 0 && kind === "text")) paths.push(word);
    }
    if (kind === "path") paths.push(word);
    return true;
  }

  function takeNext(form: OptionForm): boolean {
    return form.values.every((kind) => takeValue(kind, words[at++], true));
  }

  function takeLong(word: CommandWord, name: string, value: string | undefined): boolean {
    const form = findLong(name, forms, isShortening);
    if (!form?.isAllowed) return false;
    given.add(form);
    if (value === undefined) return form.isOptional || takeNext(form);
    const [kind, ...more] = form.values;
    return kind !== undefined && more.length === 0 && takeValue(kind, attachedWord(word, value), false);
  }

  function takeWord(word: CommandWord): boolean {
    const form = forms.get(word.text.replace(/^--?/, ""));
    if (!form?.isAllowed) return false;
    given.add(form);
    return takeNext(form);
  }

  function takeLetters(word: CommandWord): boolean {
    if (hasCount && /^-\d+$/.test(word.text)) return true;
    const letters = word.text.slice(1);
    for (const [position, letter] of [...letters].entries()) {
      const form = forms.get(letter);
      if (!form?.isAllowed) return false;
      given.add(form);
      const [kind] = form.values;
      if (kind === undefined) continue;
      const value = letters.slice(position + 1);
      if (style === "following") {
        if (!takeNext(form)) return false;
        continue;
      }
      if (value === "") return form.isOptional || takeNext(form);
      return form.values.length === 1 && takeValue(kind, attachedWord(word, value), false);
    }
    return true;
  }

  function takeOption(word: CommandWord): boolean {
    const long = /^--([^=]+)(?:=(.*))?$/s.exec(word.text);
    if (word.isPattern && !(long?.[2] !== undefined && word.text.indexOf("=") < word.fixedChars))
      return false;
    if (optionsAfterOperand === "refused" && operands.length > 0) return false;
    if (style === "words") return takeWord(word);
    return long ? takeLong(word, long[1] ?? "", long[2]) : takeLetters(word);
  }

  while (at < words.length) {
    const word = words[at++] as CommandWord;
    if (style === "none") {
      if (guarded && word.isPattern) return undefined;
      operands.push(word);
    } else if (isEnded || !word.text.startsWith("-") || word.text === "-") {
      if (!isEnded && word.isPattern && word.fixedChars === 0 && !word.text.startsWith("~")) {
        if (guarded) return undefined;
        mayGrowOptions = true;
      }
      operands.push(word);
      isEnded ||= optionsAfterOperand === "last";
    } else if (word.text === "--") {
      // Parsers made by hand differ in what it ends.
      if (style !== "letters") return undefined;
      isEnded = true;
    } else if (!takeOption(word)) {
      return undefined;
    }
  }
  const isWritten = (names: readonly string[]) =>
    names.some((name) => given.has(forms.get(name) as OptionForm));
  return { operands, paths, isWritten, has: (names) => mayGrowOptions || isWritten(names) };
}

function attachedWord({ isPattern }: CommandWord, text: string): CommandWord {
  return { text, isPattern, fixedChars: text.length };
}
