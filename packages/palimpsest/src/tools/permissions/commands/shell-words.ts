import type { InputText } from "./shell-memory.ts";
import { outputOf } from "./shell-names.ts";
import { maxDepth, type ShellScan, withoutEscapes } from "./shell-scan.ts";
import { anyCharacter, anyText, anyWords } from "./unknown-text.ts";
import { braceClose, braceComma, braceOpen, joinChoices, toText, unquotedValues } from "./word-choices.ts";

/** A word as far as it is known: each text that it may be, with marks. */
export interface MarkedWord {
  choices: readonly string[];
  isQuoted: boolean;
  isBegun: boolean;
}

export interface WordReader {
  /** The word that begins here; what is substituted into it may feed the command. */
  readWord(inputs: InputText[], level: number): MarkedWord;
  doubleQuotes(inputs: InputText[], level: number, mark?: string): readonly string[];
  isArithmetic(from: number): boolean;
  skipArithmetic(level: number): void;
}

/** `${ command; }`, which runs in the shell itself. */
const commandsInBraces =
  /\$\{[\s|](?:\\[\s\S]|'[^']*'|"(?:\\[\s\S]|[^"\\])*"|\{(?:[^{}]|\{[^{}]*\})*\}|[^{}\\'"])*\}?/y;

/** Reads words: quotes, braces, variables, substitutions, names of files. */
export function createWordReader(scan: ShellScan): WordReader {
  return { readWord, doubleQuotes, isArithmetic, skipArithmetic };

  function readWord(inputs: InputText[], level: number): MarkedWord {
    const word: MarkedWord = { choices: [""], isQuoted: false, isBegun: false };
    const add = (...options: readonly string[]) => {
      word.choices = joinChoices(word.choices, options);
      word.isBegun = true;
    };
    for (; scan.at < scan.text.length; ) {
      const character = scan.text[scan.at] as string;
      if (/[ \t\r\n;&|)]/.test(character)) break;
      if (character === "<" || character === ">") {
        if (scan.text[scan.at + 1] !== "(") break;
        scan.at += 2;
        const output = scan.readList(")", [() => undefined], level + 1);
        scan.at += 1;
        inputs.push(output);
        add(`/dev/fd/${anyText}`);
      } else if (character === "(") {
        const [only = ""] = word.choices;
        const isArray = /^\w+\+?=$/.test(only);
        if (!word.isBegun || !(isArray || /[?*+@!\ue000\ue001]$/.test(only))) break;
        const first = scan.memory.commands.length;
        scan.at += 1;
        scan.readList(")", [], level + 1);
        scan.at += 1;
        const words = scan.memory.commands.slice(first).flatMap((command) => command.words);
        const each = words.flatMap((choices) => choices.flat());
        if (isArray) {
          add(...each.slice(0, 20), each.join(" "));
          break;
        }
        word.choices = word.choices.map((one) => one.slice(0, -1));
        add(anyText);
      } else if (character === "'" || character === '"') {
        word.isQuoted = true;
        add(...quotes(character, inputs, level));
      } else if (character === "\\") {
        if (scan.text[scan.at + 1] !== "\n") add(scan.text[scan.at + 1] ?? "");
        word.isQuoted ||= scan.text[scan.at + 1] !== "\n";
        scan.at += 2;
      } else if (character === "`" || character === "$") add(...dollar(false, inputs, level));
      else {
        const isIndex = character === "[" && /^\w+$/.test(word.choices[0] ?? "");
        const index = isIndex ? scan.match(/\[[^\]\s]{0,200}\](?=\+?=)/y) : undefined;
        scan.at += index?.length ?? 1;
        add(index ?? unquoted(character));
      }
    }
    return word;
  }

  function unquoted(character: string): string {
    if (character === anyText) return anyWords;
    if (character === "*") return anyText;
    if (character === "?") return anyCharacter;
    if (character === "{") return braceOpen;
    if (character === ",") return braceComma;
    if (character === "}") return braceClose;
    const set = character === "[" ? /[^\s\]]{1,200}\]/y : undefined;
    const inside = set && scan.match(set);
    if (inside === undefined) return character;
    scan.at += inside.length;
    return anyCharacter;
  }

  function quotes(mark: string, inputs: InputText[], level: number): readonly string[] {
    scan.at += 1;
    if (mark === '"') return doubleQuotes(inputs, level, mark);
    const end = scan.text.indexOf("'", scan.at);
    const inside = scan.text.slice(scan.at, end < 0 ? undefined : end);
    if (end >= 0) scan.at = end + 1;
    return [end < 0 ? "'" : inside];
  }

  /** Up to the closing mark; without one to the end, as in a here-document. */
  function doubleQuotes(inputs: InputText[], level: number, mark?: string): readonly string[] {
    let choices: readonly string[] = [""];
    let plain = "";
    const flush = () => {
      choices = joinChoices(choices, [plain]);
      plain = "";
    };
    for (; scan.at < scan.text.length && scan.text[scan.at] !== mark; ) {
      const character = scan.text[scan.at] as string;
      if (character === "$" || character === "`") {
        flush();
        choices = joinChoices(choices, dollar(true, inputs, level));
      } else if (character === "\\" && /[$`"\\\n]/.test(scan.text[scan.at + 1] ?? "")) {
        if (scan.text[scan.at + 1] !== "\n") plain += scan.text[scan.at + 1];
        scan.at += 2;
      } else {
        plain += character;
        scan.at += 1;
      }
    }
    flush();
    scan.at += 1;
    return choices;
  }

  /** Reads the text at a `$` or a backtick, as it may turn out. */
  function dollar(isQuoted: boolean, inputs: InputText[], level: number): readonly string[] {
    const unknown = [isQuoted ? anyText : anyWords];
    if (level > maxDepth) {
      scan.memory.isTooMuch = true;
      scan.at = scan.text.length;
      return unknown;
    }
    const open = scan.text[scan.at] === "`" ? "`" : scan.text.slice(scan.at, scan.at + 2);
    if (open === "`") return shown(backtick(level), isQuoted);
    if (open === "$'" && !isQuoted) {
      const inside = /\$'((?:[^'\\]|\\[\s\S])*)'?/y;
      inside.lastIndex = scan.at;
      const found = inside.exec(scan.text);
      scan.at += found?.[0].length ?? 2;
      return [withoutEscapes(found?.[1] ?? "")];
    }
    if (open === '$"' && !isQuoted) {
      scan.at += 1;
      return quotes('"', inputs, level);
    }
    if (open === "$(") {
      if (scan.text.startsWith("$((", scan.at) && isArithmetic(scan.at + 1)) {
        scan.at += 1;
        skipArithmetic(level);
        return [anyText];
      }
      scan.at += 2;
      const output = scan.readList(")", [], level + 1);
      scan.at += 1;
      return shown(output, isQuoted);
    }
    const inside = open === "${" ? scan.match(commandsInBraces)?.slice(2) : undefined;
    if (inside !== undefined) {
      scan.at += inside.length + 2;
      scan.readInside(inside.replace(/^\||\}$/g, ""), level + 1);
      return unknown;
    }
    if (open === "${") return parameter(isQuoted, inputs, level);
    const name = /[A-Za-z_]\w*|[0-9@*#?$!-]/y;
    scan.at += 1;
    const found = scan.match(name);
    if (found === undefined) return ["$"];
    scan.at += found.length;
    if (/^[#?$!-]$/.test(found)) return ["0"];
    const known = scan.memory.variables.get(found);
    return known ? values([...known], isQuoted) : found === "@" ? [anyWords] : unknown;
  }

  /** `${name}`, `${name:-word}` and so on. */
  function parameter(isQuoted: boolean, inputs: InputText[], level: number): readonly string[] {
    scan.at += 2;
    const name = scan.match(/!?(?:[A-Za-z_]\w*|[0-9@*#?$!-])/y) ?? "";
    scan.at += name.length;
    const isEach = name === "@" || scan.match(/\[[@*]\]/y) !== undefined;
    if (scan.text[scan.at] === "[") skipIndex(inputs, level + 1);
    const form = scan.match(/:?[-=+?]|[,^]{1,2}/y) ?? "";
    scan.at += form.length;
    const rest = restOfParameter(inputs, level + 1, isQuoted && /[-=+?]/.test(form));
    if (form === "")
      for (const one of rest) if (/\[.*(?:\$\(|`)/s.test(one)) scan.readInside(`: "${one}"`, level + 1);
    const known = scan.memory.variables.get(name);
    const isPlain = !name.startsWith("!") && (form !== "" || rest.every((one) => one === ""));
    const own = isPlain && known ? [...known] : [anyWords];
    const isOther = /[-=+]/.test(form);
    if (form.endsWith("=") && known === undefined)
      scan.memory.variables.set(name, new Set([anyWords, ...rest.map(toText)]));
    return values(isOther ? [...own, ...rest.map(toText)] : own, isQuoted && !isEach);
  }

  function skipIndex(inputs: InputText[], level: number): void {
    scan.at += 1;
    for (; scan.at < scan.text.length && !/[\]}"]/.test(scan.text[scan.at] ?? ""); ) {
      if (scan.text[scan.at] === "$" || scan.text[scan.at] === "`") dollar(true, inputs, level);
      else scan.at += 1;
    }
    if (scan.text[scan.at] === "]") scan.at += 1;
  }

  /** Inside double quotes, a single one is itself. */
  function restOfParameter(inputs: InputText[], level: number, isPlainMark: boolean): readonly string[] {
    let choices: readonly string[] = [""];
    for (let open = 0; scan.at < scan.text.length; ) {
      const character = scan.text[scan.at] as string;
      if (character === "}" && open === 0) break;
      if (character === "{") open += 1;
      if (character === "}") open -= 1;
      if (character === "$" || character === "`") choices = joinChoices(choices, dollar(true, inputs, level));
      else if (character === '"' || (character === "'" && !isPlainMark))
        choices = joinChoices(choices, quotes(character, inputs, level));
      else {
        if (character === "\\") scan.at += 1;
        choices = joinChoices(choices, [scan.text[scan.at] ?? ""]);
        scan.at += 1;
      }
    }
    scan.at += 1;
    return choices;
  }

  function backtick(level: number): InputText {
    let end = scan.at + 1;
    while (end < scan.text.length && scan.text[end] !== "`") end += scan.text[end] === "\\" ? 2 : 1;
    const inside = scan.text.slice(scan.at + 1, end).replace(/\\([`\\$])/g, "$1");
    scan.at = end + 1;
    const commands = scan.readInside(inside, level);
    const [only] = commands;
    return only !== undefined && commands.length === 1 ? outputOf(only) : () => undefined;
  }

  function shown(output: InputText, isQuoted: boolean): readonly string[] {
    const texts = output()?.map((one) => one.replace(/\n+$/, ""));
    return values(texts ?? [anyWords], isQuoted);
  }

  function values(found: readonly string[], isQuoted: boolean): readonly string[] {
    const separators = [...(scan.memory.variables.get("IFS") ?? [])];
    if (isQuoted) return found.map((one) => one.replaceAll(anyWords, anyText));
    return unquotedValues(found, separators);
  }

  /** `((…))` is counting, unless its inner bracket closes before the outer one does. */
  function isArithmetic(from: number): boolean {
    let open = 0;
    for (let end = from; end < Math.min(scan.text.length, from + 2_000); end += 1) {
      if (scan.text[end] === "(") open += 1;
      if (scan.text[end] === ")") open -= 1;
      if (open === 1 && scan.text[end] === ")") return scan.text[end + 1] === ")";
    }
    return false;
  }

  function skipArithmetic(level: number): void {
    scan.at += 2;
    for (; scan.at < scan.text.length && !scan.text.startsWith("))", scan.at); ) {
      if (scan.text[scan.at] === "`" || scan.text.startsWith("$(", scan.at)) dollar(true, [], level + 1);
      else scan.at += 1;
    }
    scan.at += 2;
  }
}
