import { assign, type InputText, nameAlias, type ShellCommand, type ShellMemory } from "./shell-memory.ts";
import { withoutEscapes } from "./shell-scan.ts";

const declaring = new Set(["declare", "export", "local", "readonly", "typeset", "let"]);
const copying = new Set(["cp", "install", "link", "ln", "mv"]);
const assignment = /^([A-Za-z_]\w*)(?:\[[^\]]*\])?(\+?)=([\s\S]*)$/;

/** A word that sets a variable in front of a command. */
export function isAssignment(word: string): boolean {
  return assignment.test(word);
}

/** Keeps what a command gives a name to: variables, aliases, links and copies of programs. */
export function rememberNames(command: ShellCommand, memory: ShellMemory): void {
  const firsts = command.words.map((choices) => choices.map((words) => words.join(" ")));
  let position = 0;
  for (; position < firsts.length && assignAll(firsts[position] ?? [], memory); position += 1);
  const words = firsts.slice(position).map((choices) => choices[0] ?? "");
  const [program = "", ...rest] = words;
  if (declaring.has(program)) {
    for (const choices of firsts.slice(position + 1)) assignAll(choices, memory);
    if (rest.some((word) => /^-\w*n/.test(word)))
      for (const word of rest) assign(memory, word.replace(/=.*$/, ""), null);
  } else if (program === "for" || program === "select") {
    const listed = command.words.slice(position + 3).flatMap((one) => one.flat());
    const values: readonly (string | null)[] = rest[1] === "in" ? listed : [null];
    for (const value of values) assign(memory, rest[0] ?? "", value);
  } else if (
    program === "read" ||
    program === "mapfile" ||
    program === "readarray" ||
    program === "getopts"
  ) {
    const names = rest.filter((word) => /^[A-Za-z_]\w*$/.test(word));
    const texts = command.inputs.map((input) => input());
    const values = texts.flatMap((one): readonly (string | null)[] => one ?? [null]);
    for (const value of values.length > 0 ? values : [null]) {
      const parts = [value, ...(value?.split(/\s+/).slice(0, 8) ?? [])];
      for (const name of [...names, "REPLY", "MAPFILE"]) for (const part of parts) assign(memory, name, part);
    }
  } else if (program === "printf" && rest[0] === "-v") {
    const texts = outputOf({ ...command, words: [[["printf"]], ...command.words.slice(position + 3)] })();
    for (const value of texts ?? [null]) assign(memory, rest[1] ?? "", value);
  } else if (program === "alias") {
    for (const word of rest) if (word.includes("=")) rememberAlias(word, memory);
  } else if (copying.has(program)) {
    const paths = rest.filter((word) => !word.startsWith("-")).slice(0, 8);
    for (const [position, to] of paths.entries())
      for (const from of paths.slice(0, position)) nameAlias(memory, lastName(to), from);
  } else if (program === "cat") {
    const from = rest[0] ?? command.files.flat(2)[0];
    if (from !== undefined) for (const to of command.outputs.flat(2)) nameAlias(memory, lastName(to), from);
  } else if (program === "dd") {
    const [from, to] = ["if=", "of="].map((sign) => rest.find((word) => word.startsWith(sign))?.slice(3));
    if (from !== undefined && to !== undefined) nameAlias(memory, lastName(to), from);
  } else if (program === "hash") {
    const [path = "", ...names] = rest
      .join(" ")
      .replace(/^-\w*p\s*/, "")
      .split(" ");
    for (const name of names) nameAlias(memory, name, path);
  }
}

function assignAll(choices: readonly string[], memory: ShellMemory): boolean {
  const found = choices.map((text) => assignment.exec(text)).filter((one) => one !== null);
  for (const [, name = "", plus, value = ""] of found) assign(memory, name, value, plus === "+");
  return found.length > 0;
}

function rememberAlias(word: string, memory: ShellMemory): void {
  const [name = "", ...value] = word.split("=");
  nameAlias(memory, name, value.join("="));
}

export function lastName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

const maxTexts = 16;

/** What a command puts out, where its text tells: that of `echo`, `printf`, `cat` and `tee`; the path that `which` gives. */
export function outputOf({ words, inputs }: Pick<ShellCommand, "words" | "inputs">): InputText {
  return () => {
    const texts: string[] = [];
    for (const sequence of sequencesOf(words)) {
      const [program = "", ...rest] = withoutWords(sequence);
      const found = programOutput(lastName(program), rest, inputs);
      if (found === undefined) return undefined;
      texts.push(...found);
    }
    return texts;
  };
}

function withoutWords(sequence: readonly string[]): readonly string[] {
  const begin = sequence.findIndex((word) => !isAssignment(word) && word !== "command" && word !== "builtin");
  const isLooking = sequence[begin]?.startsWith("-") && sequence[begin - 1] === "command";
  return begin < 0 ? [] : isLooking ? ["which", ...sequence.slice(begin + 1)] : sequence.slice(begin);
}

function programOutput(
  program: string,
  rest: readonly string[],
  inputs: readonly InputText[],
): readonly string[] | undefined {
  if (program === "echo") {
    const begin = rest.findIndex((word) => !/^-[neE]+$/.test(word));
    const text = begin < 0 ? "" : rest.slice(begin).join(" ");
    return escapeReadings(text);
  }
  if (program === "printf") return printfOutput(rest[0] === "--" ? rest.slice(1) : rest);
  if (program === "which" || program === "type")
    return rest.filter((word) => !word.startsWith("-")).slice(0, 1);
  if (program === "yes") return [rest.join(" ")];
  const reads = program === "tee" || rest.every((word) => word.startsWith("-"));
  if ((program !== "cat" && program !== "tee") || !reads) return undefined;
  const texts = inputs.map((input) => input());
  return texts.length === 0 || texts.includes(undefined) ? undefined : texts.flatMap((one) => one ?? []);
}

function escapeReadings(text: string): readonly string[] {
  return text.includes("\\") ? [text, withoutEscapes(text)] : [text];
}

function printfOutput([format = "", ...values]: readonly string[]): readonly string[] {
  const left = [...values];
  let text = "";
  do {
    text += format.replace(/%(?:-?\d*(?:\.\d+)?)([a-zA-Z%])/g, (_, kind: string) =>
      kind === "%" ? "%" : kind === "b" ? withoutEscapes(left.shift() ?? "") : (left.shift() ?? ""),
    );
  } while (left.length > 0 && /%[^%]/.test(format) && text.length < 10_000);
  return escapeReadings(text);
}

/** Every way in which a command's words may turn out; where those are too many, fewer words are known. */
export function sequencesOf(words: ShellCommand["words"]): readonly (readonly string[])[] {
  let sequences: readonly (readonly string[])[] = [[]];
  for (const choices of words) {
    const known = sequences.length * choices.length > maxTexts ? [["\ue002"]] : choices;
    if (known.length === 1)
      for (const sequence of sequences) (sequence as string[]).push(...(known[0] ?? []));
    else sequences = sequences.flatMap((before) => known.map((one) => [...before, ...one]));
  }
  return sequences;
}

/** The texts commands write to files, by their names, each text and all together: somebody may run it afterwards. */
export function writtenFiles(commands: readonly ShellCommand[]): ReadonlyMap<string, readonly string[]> {
  const files = new Map<string, readonly string[]>();
  for (const command of commands) {
    const tee = command.words[0]?.[0]?.[0] === "tee" ? command.words.slice(1) : [];
    const names = [...command.outputs, ...tee].flat(2).map(lastName);
    const texts = names.length === 0 ? [] : (outputOf(command)() ?? []);
    for (const name of names) {
      const known = files.get(name) ?? [];
      const joined = known.length === 0 ? [] : [`${known.at(-1)}${texts[0] ?? ""}`];
      if (texts.length > 0 && known.length < maxTexts) files.set(name, [...known, ...texts, ...joined]);
    }
  }
  return files;
}
