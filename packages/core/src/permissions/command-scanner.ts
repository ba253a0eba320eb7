const assignment = /^[A-Za-z_]\w*(?:\[[^\]]*\])?\+?=/;
const plainVariable = /\$[A-Za-z_]\w*/y;
const operator = /\|\||&&|;;&?|;&|\|&|[;&|\n]/y;
const redirect = /&>>?|<<<|<<-?|>>|>\||>&|<&|<>|[<>]/y;
/** Throws output away or joins two outputs, and writes nowhere. */
const harmlessRedirect = /(?:(?:&>|>)>?[ \t]*\/dev\/null|<[ \t]*\/dev\/null|>&[12])(?=[ \t\n;&|]|$)/y;
// biome-ignore lint/suspicious/noControlCharactersInRegex: those are what is looked for.
const control = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/;

interface CommandScanner {
  isAtEnd(): boolean;
  step(): void;
  result(): SplitCommand;
}

/** Reads a command character by character, as a shell would. */
function createCommandScanner(command: string): CommandScanner {
  const parts: CommandPart[] = [];
  const nested: string[] = [];
  let isPlain = !control.test(command);
  let at = 0;
  let partBegin = 0;
  let words: string[] = [];
  let word: string | undefined;
  let isTarget = false;

  function match(pattern: RegExp): string | undefined {
    pattern.lastIndex = at;
    return pattern.exec(command)?.[0];
  }

  function add(text: string): void {
    word = (word ?? "") + text;
  }

  function endWord(): void {
    if (word !== undefined && !isTarget) words.push(word);
    if (word !== undefined) isTarget = false;
    word = undefined;
  }

  function endPart(): void {
    endWord();
    isTarget = false;
    const text = trimCommand(command.slice(partBegin, at));
    const hasAssignment = assignment.test(words[0] ?? "");
    if (words.length > 0) parts.push({ text, words, hasAssignment });
    words = [];
  }

  /** Up to a closing character that is not escaped; to the end where there is none. */
  function upTo(close: string, from: number): string {
    let end = from;
    while (end < command.length && command[end] !== close) end += command[end] === "\\" ? 2 : 1;
    if (end >= command.length) isPlain = false;
    return command.slice(from, end);
  }

  /** From an opening bracket to the one that closes it, without looking at quotes. */
  function inside(open: string, close: string, from: number): string {
    let depth = 1;
    let end = from;
    for (; end < command.length && depth > 0; end += 1) {
      if (command[end] === open) depth += 1;
      if (command[end] === close) depth -= 1;
    }
    return command.slice(from, depth === 0 ? end - 1 : end);
  }

  function nest(text: string, length: number): void {
    isPlain = false;
    nested.push(text);
    add(command.slice(at, at + length));
    at += length;
  }

  function dollar(): void {
    const next = command[at + 1];
    const variable = match(plainVariable);
    if (variable !== undefined) {
      add(variable);
      at += variable.length;
    } else if (next === "(" || next === "{") {
      const text = inside(next, next === "(" ? ")" : "}", at + 2);
      nest(text, text.length + 3);
    } else {
      isPlain = false;
      if (next !== "'" && next !== '"') add("$");
      at += 1;
    }
  }

  function backtick(): void {
    const text = upTo("`", at + 1);
    nest(text.replaceAll("\\`", "`"), text.length + 2);
  }

  function backslash(): void {
    const next = command[at + 1];
    if (next === undefined || next === "\n") isPlain = false;
    else add(next);
    at += 2;
  }

  function singleQuotes(): void {
    const end = command.indexOf("'", at + 1);
    if (end < 0) isPlain = false;
    add(command.slice(at + 1, end < 0 ? undefined : end));
    at = end < 0 ? command.length : end + 1;
  }

  function doubleQuotes(): void {
    add("");
    at += 1;
    while (at < command.length && command[at] !== '"') {
      if (command[at] === "$") dollar();
      else if (command[at] === "`") backtick();
      else if (command[at] === "\\" && /[$`"\\\n]/.test(command[at + 1] ?? "")) backslash();
      else {
        add(command[at] ?? "");
        at += 1;
      }
    }
    if (at >= command.length) isPlain = false;
    at += 1;
  }

  function redirection(): void {
    if (word !== undefined && /^\d+$/.test(word)) word = undefined;
    endWord();
    const harmless = match(harmlessRedirect);
    if (harmless === undefined) {
      isPlain = false;
      isTarget = true;
    }
    at += (harmless ?? match(redirect) ?? " ").length;
  }

  function step(): void {
    const character = command[at] as string;
    if (character === "\\") backslash();
    else if (character === "'") singleQuotes();
    else if (character === '"') doubleQuotes();
    else if (character === "$") dollar();
    else if (character === "`") backtick();
    else if (match(redirect) !== undefined) redirection();
    else if (match(operator) !== undefined || character === "(" || character === ")") between();
    else plain(character);
  }

  function between(): void {
    const found = match(operator);
    if (found === undefined || found.startsWith(";;") || found === ";&") isPlain = false;
    endPart();
    at += found?.length ?? 1;
    partBegin = at;
  }

  function plain(character: string): void {
    if (character === " " || character === "\t") endWord();
    else {
      if (character === "#" && word === undefined) isPlain = false;
      add(character);
    }
    at += 1;
  }

  return {
    isAtEnd: () => at >= command.length,
    step,
    result() {
      endPart();
      return { parts, nested, isPlain };
    },
  };
}

/** One command between operators. */
export interface CommandPart {
  /** As it was written. */
  readonly text: string;
  /** Without quotes, and without what is redirected. */
  readonly words: readonly string[];
  /** Variables are set in front of it. */
  readonly hasAssignment: boolean;
}

export interface SplitCommand {
  readonly parts: readonly CommandPart[];
  /** Texts that the shell would run on its own: `$(…)`, backticks. */
  readonly nested: readonly string[];
  /**
   * Nothing in it but words, quotes, plain variables and operators between commands: the parts are all there is. Where
   * that is in doubt it is not plain.
   */
  readonly isPlain: boolean;
}

/** Takes a shell's line apart, well enough to say no; what it does not understand makes it not plain. */
export function splitCommand(command: string): SplitCommand {
  const scanner = createCommandScanner(command);
  while (!scanner.isAtEnd()) scanner.step();
  return scanner.result();
}

/** Without the blanks at both ends that a shell does not see. */
export function trimCommand(command: string): string {
  return command.replace(/^[ \t\n]+/, "").replace(/[ \t\n]+$/, "");
}
