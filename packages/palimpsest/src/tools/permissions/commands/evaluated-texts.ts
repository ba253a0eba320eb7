import { interpreters, plainReaders } from "./running-programs.ts";
import { isAssignment, lastName } from "./shell-names.ts";

/** Builtins that evaluate words which stood in quotes. */
const evaluating: ReadonlySet<string> = new Set(
  "(( [ [[ compgen complete declare export getopts let local mapfile read readarray readonly test typeset unset wait".split(
    " ",
  ),
);
/** Variables that some program takes for a command. */
const commandVariable =
  /^(?:-e)?(\w*(?:EDITOR|PAGER|BROWSER|ASKPASS|SHELL|_RSH|_SSH|_RUNNER|_WRAPPER)|CC|CXX|LD|VISUAL|LESSOPEN|LESSCLOSE|PROMPT_COMMAND|GIT_(?:(?:SSH|PROXY)_COMMAND|EXTERNAL_DIFF|CONFIG_(?:VALUE_\d+|PARAMETERS))|TAR_OPTIONS|MAKEFLAGS|PS[0-4])=([\s\S]+)$/;
/** Those whose value is not the command itself, but options of it. */
const optionVariables: readonly (readonly [RegExp, string])[] = [
  [/_PARAMETERS$/, "git -c "],
  [/^MAKEFLAGS$/, "make "],
  [/^TAR_/, "tar "],
];

/**
 * Texts that a shell evaluates though they stood in quotes: substitutions in subscripts and in values, and what
 * variables name as a command. `isHeld`: some value of the command was written with a substitution in quotes.
 */
export function* evaluatedTexts(words: readonly string[], isHeld: boolean): Generator<string> {
  const begin = words.findIndex((word) => !isAssignment(word));
  const count = begin < 0 ? words.length : begin;
  const name = lastName(words[begin] ?? "");
  const isEvaluating = evaluating.has(name) || (name === "printf" && words[begin + 1]?.startsWith("-v"));
  const isReader = (plainReaders.has(name) || interpreters.has(name)) && name !== "set" && name !== "make";
  for (const [position, word] of words.entries()) {
    const isSet = position < count;
    if (isSet ? isHeld || hasSubscript(word) : isEvaluating || (!isReader && hasSubscript(word)))
      yield* substitutions(word);
    if (!isSet && isReader) continue;
    const [, variable = "", value = ""] = commandVariable.exec(word) ?? [];
    if (/^PS\d/.test(variable)) yield* substitutions(value);
    else if (variable !== "") {
      const program = optionVariables.find(([pattern]) => pattern.test(variable))?.[1];
      yield program === undefined ? value.replace(/^[\s!|-]+/, "") : program + value;
    }
    if (/_VALUE_\d+$/.test(variable)) yield `git ${value}`;
    const own = /^\w+=!([\s\S]+)$/.exec(word)?.[1] ?? /^BASH_FUNC_\w+%%=\(\)([\s\S]+)$/.exec(word)?.[1];
    if (own !== undefined) yield own;
  }
}

/** Substitutions in the subscripts of a text that becomes a value. */
export function* subscriptTexts(text: string): Generator<string> {
  if (hasSubscript(text)) yield* substitutions(text);
}

function* substitutions(word: string): Generator<string> {
  const tick = word.indexOf("`");
  if (tick >= 0) yield `: ${word.slice(tick)}`;
  for (
    let at = word.indexOf("$("), count = 0;
    at >= 0 && count < 16;
    at = word.indexOf("$(", at + 2), count += 1
  )
    yield `: ${word.slice(at)}`;
}

/** `name[…$(…)…]`, looked for in one pass however long the text is. */
function hasSubscript(text: string): boolean {
  return text.split("]").some((part) => {
    const open = part.search(/\w\[/);
    return open >= 0 && /\$\(|`/.test(part.slice(open));
  });
}
