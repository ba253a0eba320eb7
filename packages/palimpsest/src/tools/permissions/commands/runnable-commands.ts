import { foldPath } from "@palimpsest/core/internal";
import { evaluatedTexts, subscriptTexts } from "./evaluated-texts.ts";
import { nestedCommands } from "./nested-commands.ts";
import { gitCommands, runsLines, sedCommands } from "./running-options.ts";
import {
  codeOptions,
  inputInterpreters,
  inputShells,
  interpreters,
  runners,
  shells,
} from "./running-programs.ts";
import { createShellMemory, type ShellCommand, type ShellMemory } from "./shell-memory.ts";
import { isAssignment, lastName, sequencesOf, writtenFiles } from "./shell-names.ts";
import { readShell } from "./shell-reader.ts";
import { isUnknown } from "./unknown-text.ts";

export interface RunnableCommands {
  /** Everything that may run, as words. */
  readonly commands: readonly (readonly string[])[];
  /** Words of code in other languages, each text by itself. */
  readonly codes: readonly (readonly string[])[];
  /** Files that stand behind `<`. */
  readonly files: readonly string[];
  /** Files that something is written to by a redirection. */
  readonly outputs: readonly string[];
  /** Why something may run of which nothing can be known. */
  readonly unknown?: string;
}

/** The common context of all commands of one text. */
interface TextContext {
  readonly memory: ShellMemory;
  /** A pipe or a redirection stands in it. */
  readonly isFed: boolean;
  /** A value in it was written with a substitution in quotes. */
  readonly isHeld: boolean;
  readonly isScheduling: boolean;
  /** The text it writes to files, by their names. */
  readonly written: ReadonlyMap<string, readonly string[]>;
}

/** Programs in which a line of their own gives the rest of it to a shell. */
const shellEscaping: ReadonlySet<string> = new Set(
  "ftp gdb lldb mail mailx mariadb mysql psql sftp sqlite3".split(" "),
);
const shellEscape =
  /(?:^|[\n;])[ \t]*(?:\\?!|\.(?:shell|system)\s|(?:platform )?shell\s|system\s)\s*([^\n]+)/;
const tableEntry = /^\s*(?:@\w+\s+|(?:[\d*/,\w-]+\s+){5}|"[^"]*"\s*:|(?:exec|system|shell):)/i;
const maxTexts = 200;
/** Words that are looked at, those of commands in commands again. */
const maxWork = 100_000;
/** Longer ones are not read. */
const maxChars = 100_000;

const fromElsewhere =
  "a shell would get its commands from a pipe, a variable or another command, where nobody can read them before";
const renamed = "it would load or rename a program inside the shell, where nobody can follow it";
const tooMuch = "it is too long or too deeply nested to be read";

/** Reads everything that a command may run, as far as its text tells, in whatever it is wrapped. */
export function readRunnable(command: string): RunnableCommands {
  if (command.length > maxChars) return { commands: [], codes: [], files: [], outputs: [], unknown: tooMuch };
  const commands: (readonly string[])[] = [];
  const codes: (readonly string[])[] = [];
  const files: string[] = [];
  const outputs: string[] = [];
  const seen = new Set<string>();
  let unknown: string | undefined;
  let work = 0;

  readText(command, createShellMemory());
  return { commands, codes, files, outputs, ...(unknown !== undefined && { unknown }) };

  /** Twice: a variable may be used in the text before the place where it is set. */
  function readText(text: string, memory: ShellMemory): void {
    if (seen.has(text)) return;
    seen.add(text);
    if (seen.size > maxTexts) unknown ??= tooMuch;
    if (seen.size > maxTexts) return;
    const first = { ...memory, commands: [] as ShellCommand[] };
    readShell(text, first);
    const second = { ...memory, commands: [] as ShellCommand[], isTooMuch: false };
    if (/[$`]/.test(text)) readShell(text, second);
    if (first.isTooMuch || second.isTooMuch) unknown ??= tooMuch;
    const read = second.commands.length > 0 ? second.commands : first.commands;
    const written = writtenFiles(read);
    const isHeld = /=[^\s'";=]*(?:'[^']*(?:\$\(|`)|\\[$`])/.test(text);
    const context: TextContext = {
      memory,
      isFed: /[|<]/.test(text),
      isHeld,
      isScheduling: /\bcrontab\b/.test(text),
      written,
    };
    for (const value of [...memory.variables.values()].flatMap((values) => [...values]))
      for (const one of subscriptTexts(value)) readText(one, memory);
    const isKept = /\b(?:read|mapfile|readarray)\b/.test(text);
    const isCounting = /\(\(|\[\[|\blet\b/.test(text) && /=["']?(?:\$\(|`)/.test(text);
    if (isKept || isCounting) for (const one of subscriptTexts(text)) readText(one, memory);
    for (const one of read) {
      for (const sequence of sequencesOf(one.words)) {
        const waiting = [sequence];
        for (let next = waiting.pop(); next !== undefined; next = waiting.pop())
          run(next, one, context, waiting);
      }
      for (const file of one.files.flat(2)) files.push(file);
      for (const file of one.outputs.flat(2)) outputs.push(file);
    }
  }

  function run(
    words: readonly string[],
    command: ShellCommand,
    context: TextContext,
    waiting: (readonly string[])[],
  ): void {
    const { memory, isFed, isHeld, isScheduling, written } = context;
    work += words.length + 1;
    if (work > maxWork) unknown ??= tooMuch;
    if (work > maxWork) return;
    for (const text of evaluatedTexts(words, isHeld)) readText(text, memory);
    if (isScheduling)
      for (const word of words) if (tableEntry.test(word)) readText(word.replace(tableEntry, ""), memory);
    for (const started of words.flatMap((word) => /^(?:BASH_)?ENV=([\s\S]*)/.exec(word)?.[1] ?? [])) {
      for (const text of written.get(lastName(started)) ?? []) readText(text, memory);
      if (started.startsWith("/dev/")) readInputs(command, memory);
    }
    const begin = words.findIndex((word) => !isAssignment(word) && word !== "{" && word !== "!");
    if (words.some((word) => /^BASH_(?:CMDS|ALIASES)\b/.test(word)) && words[begin] !== "echo")
      unknown ??= renamed;
    if (begin < 0) return;
    const [program = "", ...rest] = words.slice(begin);
    commands.push([program, ...rest]);
    if (/[\s{}$`'"\\;&|<>]/.test(program)) readText(program, memory);
    const name = plainName(program);
    const again = (sequence: readonly string[]) => waiting.push(sequence);

    if (/^g[a-z]/.test(lastName(program)) && !lastName(program).startsWith(name)) again([name, ...rest]);
    const part = /^git-([a-z][\w-]*)$/.exec(name)?.[1];
    if (part !== undefined) again(["git", part, ...rest]);
    const isCode = interpreters.has(name);
    const read = [name, ...(shells.has(name) || runsFiles(name) || isCode ? rest : [])];
    for (const word of name === "make" ? [...read, "Makefile", "makefile", "GNUmakefile"] : read)
      for (const text of written.get(lastName(word)) ?? [])
        isCode && word !== name ? codes.push(codeWords(text)) : readText(text, memory);
    for (const alias of memory.aliases.get(name) ?? memory.aliases.get(program) ?? [])
      if (lastName(alias) !== name) again([...alias.split(/\s+/).filter(Boolean), ...rest]);
    if (name === "git")
      for (const sequence of gitCommands(rest))
        sequence.length > 1 ? again(sequence) : readText(sequence[0] ?? "", memory);
    for (const sequence of nestedCommands(name, rest, memory)) {
      work += sequence.length;
      if (work > maxWork) break;
      again(sequence);
    }
    if (shells.has(name) || isUnknown(name)) readShellWords(name, rest, command, memory, isFed);
    if (interpreters.has(name)) readCode(name, rest, command, isFed);
    if (name === "sed") readSed(rest, command, context);
    if (shellEscaping.has(name))
      for (const text of [...rest, ...command.inputs.flatMap((input) => input() ?? [])])
        readText(shellEscape.exec(text)?.[1] ?? "", memory);
    if (name === "crontab" || name === "bind" || name === "socat") readTables(rest, command, memory);
    if (name === "enable" && rest.some((word) => /^-\w*f/.test(word))) unknown ??= renamed;
    if (name === "source" || name === ".") readSource(rest, command, memory);
  }

  function readShellWords(
    name: string,
    rest: readonly string[],
    { inputs }: ShellCommand,
    memory: ShellMemory,
    isFed: boolean,
  ): void {
    const operands = rest.filter((word) => !/^[-+]./.test(word));
    const hasText = rest.some((word) => codeOptions.test(word)) || !inputShells.has(name);
    for (const [position, word] of rest.entries()) {
      const isText = codeOptions.test(rest[position - 1] ?? "") || (name === "eval" && !word.startsWith("-"));
      if (isText && isUnknown(word) && (inputShells.has(name) || name === "eval")) unknown ??= fromElsewhere;
      if (/[\s;&|(`$<>]/.test(word) || (isText && !isUnknown(word))) readText(word, memory);
      const behindSign = /^(?:--?[\w-]+=|-[a-zA-Z]|[\w.-]+=)([\s\S]*\s[\s\S]*)$/.exec(word)?.[1];
      if (behindSign !== undefined) readText(behindSign, memory);
    }
    const isJoining = /^(?:eval|ssh|watch|parallel|trap|sem|tmux|screen|wsl|su|cmd)$/.test(name);
    if (isJoining && rest.length < 1_000) {
      const joined = name === "ssh" ? rest.slice(1) : rest;
      readText(joined.join(" "), memory);
    }
    const isBare =
      operands.length === 0 || name === "at" || rest.some((word) => word === "-s" || word === "-");
    const isSource = operands.some((word) => /^\/dev\/(?:stdin|fd\/)|^\/proc\/self\/fd/.test(word));
    const texts = inputs.map((input) => input());
    if (name === "ssh") {
      for (const text of texts.flatMap((one) => one ?? [])) readText(text, memory);
      if (operands.length < 2 && texts.includes(undefined)) unknown ??= fromElsewhere;
    }
    if (!inputShells.has(name) || (hasText && !isSource) || !(isBare || isSource)) return;
    for (const text of texts.flatMap((one) => one ?? [])) readText(text, memory);
    if (texts.includes(undefined) || (texts.length === 0 && isFed && isSource)) unknown ??= fromElsewhere;
  }

  function readInputs({ inputs }: ShellCommand, memory: ShellMemory): void {
    const texts = inputs.map((input) => input());
    for (const text of texts.flatMap((one) => one ?? [])) readText(text, memory);
    if (texts.includes(undefined)) unknown ??= fromElsewhere;
  }

  function readSed(rest: readonly string[], command: ShellCommand, { memory, written }: TextContext): void {
    const isFile = rest.some((word) => /^-\w*f|^--file/.test(word));
    const files = isFile ? rest.flatMap((word) => written.get(lastName(word)) ?? []) : [];
    const inputs = isFile ? command.inputs.flatMap((input) => input() ?? []) : [];
    for (const text of sedCommands([...rest, ...files, ...inputs])) readText(text, memory);
    if (runsLines(rest)) readInputs(command, memory);
  }

  /** Lines of a table of times, keys or addresses, each with a command at its end. */
  function readTables(rest: readonly string[], { inputs }: ShellCommand, memory: ShellMemory): void {
    const texts = inputs.flatMap((input) => input() ?? []);
    for (const line of [...rest, ...texts.flatMap((text) => text.split("\n"))])
      readText(line.replace(tableEntry, ""), memory);
  }

  function readSource(rest: readonly string[], { inputs }: ShellCommand, memory: ShellMemory): void {
    const texts = inputs.map((input) => input());
    for (const text of texts.flatMap((one) => one ?? [])) readText(text, memory);
    const isOther = /^\/dev\/(?:stdin|fd\/)|^\/proc\/self\/fd/.test(rest[0] ?? "");
    if (isOther && (texts.includes(undefined) || texts.length === 0)) unknown ??= fromElsewhere;
  }

  function readCode(name: string, rest: readonly string[], { inputs }: ShellCommand, isFed: boolean): void {
    const isAwk = /awk$/.test(name);
    const isRunning = rest.some((word) => /system|\||getline/.test(word));
    const given = rest.filter(
      (word, position) =>
        isAwk ||
        codeOptions.test(rest[position - 1] ?? "") ||
        /^-[a-zA-Z]+[^\w.:/=-]/.test(word) ||
        (name === "make" && /=|\$\(/.test(word)) ||
        /^(?:\+|-c|--)/.test(word),
    );
    const code = isAwk && !isRunning ? [] : given;
    const hasOperand = rest.some((word) => word !== "-" && !/^-/.test(word));
    const texts = inputs.map((input) => input());
    if (!hasOperand && inputInterpreters.has(name) && isFed && texts.includes(undefined))
      unknown ??= fromElsewhere;
    for (const text of [
      ...code.map((one) => (isAwk ? one.replace(/^\w+=/, "") : one)),
      ...texts.flatMap((one) => one ?? []),
    ])
      codes.push(codeWords(text));
  }
}

function codeWords(text: string): readonly string[] {
  return text.split(/[^\w./:@=+-]+/).filter(Boolean);
}

/** Without its folder and the letter that GNU's programs have on other systems. */
function plainName(program: string): string {
  const name = foldPath(
    lastName(program)
      .replace(/^=/, "")
      .replace(/\.exe$/i, ""),
  );
  return name.replace(gnuLetter, "");
}

const gnuLetter =
  /^g(?=(?:chmod|chown|chroot|cp|dd|env|find|install|kill|ln|make|mv|nice|nohup|rm|rmdir|sed|shred|sort|split|stdbuf|tar|tee|time|timeout|truncate|xargs)$)/;

function runsFiles(name: string): boolean {
  return name === "source" || name === "." || Object.hasOwn(runners, name);
}
