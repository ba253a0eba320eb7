import type { InputText, ShellCommand, ShellMemory } from "./shell-memory.ts";
import { outputOf, rememberNames } from "./shell-names.ts";
import { maxDepth, type ShellScan } from "./shell-scan.ts";
import { createWordReader, type MarkedWord } from "./shell-words.ts";
import { toText, toWords, type WordChoices } from "./word-choices.ts";

const operator = /\|\||&&|;;&?|;&|\|&|[;&|\n]/y;
const redirect = /&>>?|<<<|<<-?|>>|>\||>&|<&|<>|[<>]/y;
const openers = new Set(["{", "while", "until", "for", "select", "if"]);
const closers = new Set(["}", "done", "fi"]);
const silent = new Set(["then", "else", "elif", "do", "!", "function"]);
const maxCommands = 20_000;

interface OpenCommand {
  readonly words: WordChoices[];
  readonly inputs: InputText[];
  readonly files: WordChoices[];
  readonly outputs: WordChoices[];
  isGroupEnd: boolean;
}

/**
 * Reads a text as a shell would, and keeps in the memory every command in it that may run, wherever it stands. Generous:
 * made for saying no. What it cannot know stands as a mark in the words.
 */
export function readShell(text: string, memory: ShellMemory): void {
  createReader(text, memory, 0).readAll();
}

function createReader(text: string, memory: ShellMemory, depth: number) {
  const scan: ShellScan = {
    text,
    at: 0,
    memory,
    match(pattern) {
      pattern.lastIndex = scan.at;
      return pattern.exec(text)?.[0];
    },
    readList,
    readInside(inner, level) {
      const inside = { ...memory, commands: [] as ShellCommand[], isTooMuch: depth + level > maxDepth };
      if (!inside.isTooMuch) createReader(inner, inside, depth + level + 1).readAll();
      memory.isTooMuch ||= inside.isTooMuch;
      for (const command of inside.commands) memory.commands.push(command);
      return inside.commands;
    },
  };
  const words = createWordReader(scan);
  const documents = createHereDocuments(scan, expanded);

  return {
    readAll: () => readList(undefined, [], depth),
    readQuoted: () => words.doubleQuotes([], depth),
  };

  /** Commands up to a closing bracket or the end; what they put out together. */
  function readList(close: ")" | undefined, given: readonly InputText[], level: number): InputText {
    if (level > maxDepth || memory.commands.length > maxCommands) {
      memory.isTooMuch = true;
      scan.at = text.length;
      return () => undefined;
    }
    const groups = [given];
    const made: InputText[] = [];
    let pipe: readonly InputText[] | undefined;
    let current = begin();
    let openCases = 0;

    function begin(): OpenCommand {
      const inputs = [...(pipe ?? groups.at(-1) ?? [])];
      return { words: [], inputs, files: [], outputs: [], isGroupEnd: false };
    }

    function finish(operation: string): void {
      const { words, inputs, files, outputs } = current;
      const isAny = words.length + files.length + outputs.length > 0;
      const output: InputText = current.isGroupEnd ? allOutput([...made]) : outputOf(current);
      if (isAny) {
        const command: ShellCommand = { words, inputs, files, outputs };
        memory.commands.push(command);
        rememberNames(command, memory);
        made.push(output);
      }
      pipe = operation === "|" || operation === "|&" ? [output] : undefined;
      current = begin();
    }

    for (; scan.at < text.length; ) {
      const character = text[scan.at] as string;
      if (character === ")" && close === ")" && openCases === 0) break;
      if (/[ \t\r]/.test(character)) scan.at += 1;
      else if (character === "\\" && text[scan.at + 1] === "\n") scan.at += 2;
      else if (character === "#") scan.at = endOfLine();
      else if (isRedirect()) readRedirect(current, level);
      else if (scan.match(operator) !== undefined) {
        const found = scan.match(operator) as string;
        scan.at += found.length;
        finish(found);
        if (found === "\n") documents.take();
      } else if (character === ")") {
        scan.at += 1;
        finish(";");
      } else if (character === "(") bracket();
      else take(words.readWord(current.inputs, level));
    }
    finish("");
    return allOutput(made);

    function bracket(): void {
      const name = current.words.length === 1 ? current.words[0]?.[0]?.[0] : undefined;
      const empty = /\([ \t]*\)/y;
      const pair = scan.match(empty);
      if (name !== undefined && pair !== undefined) {
        memory.functions.add(name);
        scan.at += pair.length;
        current = begin();
      } else if (text.startsWith("((", scan.at) && words.isArithmetic(scan.at)) {
        words.skipArithmetic(level);
        current.isGroupEnd = true;
      } else {
        scan.at += 1;
        const inner = readList(")", current.inputs, level + 1);
        scan.at += 1;
        made.push(inner);
        current.isGroupEnd = true;
      }
    }

    function take(word: MarkedWord): void {
      const [only = ""] = word.choices;
      const isFirst = current.words.length === 0 && !word.isQuoted && word.choices.length === 1;
      const plain = isFirst ? toText(only) : "";
      if (openers.has(plain) || plain === "case") groups.push([...current.inputs]);
      if (plain === "case") openCases += 1;
      if (closers.has(plain) || plain === "esac") {
        if (plain === "esac") openCases = Math.max(0, openCases - 1);
        if (groups.length > 1) groups.pop();
        current.isGroupEnd = true;
      } else if (plain === "function") {
        skipBlanks();
        const name = words.readWord(current.inputs, level).choices[0];
        if (name !== undefined) memory.functions.add(name);
      } else if (!silent.has(plain) && (!openers.has(plain) || plain === "for" || plain === "select")) {
        current.words.push(word.choices.map((choice) => toWords(choice, word.isQuoted)));
      }
    }
  }

  function skipBlanks(): void {
    while (text[scan.at] === " " || text[scan.at] === "\t") scan.at += 1;
  }

  function endOfLine(): number {
    const end = text.indexOf("\n", scan.at);
    return end < 0 ? text.length : end;
  }

  function isRedirect(): boolean {
    const digits = /(?:\d*|\{[A-Za-z_]\w*\})[<>]|&>/y;
    return scan.match(digits) !== undefined && !/^\d*[<>]\(/.test(text.slice(scan.at, scan.at + 12));
  }

  function readRedirect(current: OpenCommand, level: number): void {
    scan.at += (scan.match(/\d+|\{\w+\}/y) ?? "").length;
    const kind = scan.match(redirect) ?? ">";
    scan.at += kind.length;
    skipBlanks();
    const begin = scan.at;
    const word = words.readWord(current.inputs, level);
    const texts = word.choices.map(toText);
    if (kind === "<<<") current.inputs.push(() => texts);
    else if (kind === "<<" || kind === "<<-") {
      const written = text.slice(begin, scan.at);
      const held = documents.expect(written, kind === "<<-");
      current.inputs.push(() => held);
    } else {
      const target = word.choices.map((choice) => toWords(choice, word.isQuoted));
      if (kind.includes("<")) current.files.push(target);
      if (kind.includes(">")) current.outputs.push(target);
    }
  }
  /** A here-document, in which substitutions run as between double quotes. */
  function expanded(body: string): readonly string[] {
    if (!/[$`\\]/.test(body)) return [];
    if (depth >= maxDepth) memory.isTooMuch = true;
    return depth >= maxDepth ? [] : createReader(body, memory, depth + 1).readQuoted();
  }
}

function allOutput(parts: readonly InputText[]): InputText {
  return () => {
    const texts = parts.map((part) => part());
    if (texts.length === 0 || texts.some((one) => one === undefined)) return undefined;
    return texts.length === 1
      ? texts[0]
      : [texts.map((one) => one?.[0] ?? "").join("\n"), ...texts.flatMap((one) => one ?? [])];
  };
}

interface HereDocument {
  readonly delimiter: string;
  /** Nothing in it is substituted. */
  readonly isQuoted: boolean;
  /** Tabs at the beginnings of its lines do not count. */
  readonly isIndented: boolean;
  readonly texts: string[];
}

interface HereDocuments {
  /** Gives what will hold the text, once it was read. */
  expect(written: string, isIndented: boolean): readonly string[];
  /** Reads what was expected: it begins at this line. */
  take(): void;
}

/** `expand` gives what a text is once its substitutions ran. */
function createHereDocuments(scan: ShellScan, expand: (body: string) => readonly string[]): HereDocuments {
  let waiting: HereDocument[] = [];
  const endless = new Set<string>();

  /** The lines up to the delimiter; `undefined` where it never comes. */
  function bodyOf({ delimiter, isQuoted, isIndented }: HereDocument): string | undefined {
    const lines: string[] = [];
    for (let at = scan.at; at < scan.text.length; ) {
      let line = "";
      do {
        const end = scan.text.indexOf("\n", at);
        const part = scan.text.slice(at, end < 0 ? undefined : end);
        at = end < 0 ? scan.text.length : end + 1;
        line = (line === "" ? "" : line.slice(0, -1)) + (isIndented ? part.replace(/^\t+/, "") : part);
      } while (!isQuoted && /(?:^|[^\\])(?:\\\\)*\\$/.test(line) && at < scan.text.length);
      if (line === delimiter) {
        scan.at = at;
        return lines.join("\n");
      }
      lines.push(line);
    }
    return undefined;
  }

  return {
    expect(written, isIndented) {
      const delimiter = written
        .replace(/\\\n/g, "")
        .replace(
          /\$?(['"])([\s\S]*?)\1|\\([\s\S])/g,
          (_, _mark, inside?: string, one?: string) => inside ?? one ?? "",
        );
      const texts: string[] = [];
      waiting.push({ delimiter, isQuoted: /['"\\]/.test(written), isIndented, texts });
      return texts;
    },
    take() {
      const documents = waiting;
      waiting = [];
      for (const document of documents) {
        const { delimiter, isQuoted, texts } = document;
        const body = endless.has(delimiter) ? undefined : bodyOf(document);
        if (body === undefined) endless.add(delimiter);
        else texts.push(body, ...(isQuoted ? [] : expand(body)));
      }
    },
  };
}
