import { outputOf } from "./output-of.ts";
import { assign, nameAlias, type ShellCommand, type ShellMemory } from "./shell-memory.ts";

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
  let place = 0;
  for (; place < firsts.length && assignAll(firsts[place] ?? [], memory); place += 1);
  const words = firsts.slice(place).map((choices) => choices[0] ?? "");
  const [program = "", ...rest] = words;
  if (declaring.has(program)) {
    for (const choices of firsts.slice(place + 1)) assignAll(choices, memory);
    if (rest.some((word) => /^-\w*n/.test(word)))
      for (const word of rest) assign(memory, word.replace(/=.*$/, ""), null);
  } else if (program === "for" || program === "select") {
    const listed = command.words.slice(place + 3).flatMap((one) => one.flat());
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
    const texts = outputOf({ ...command, words: [[["printf"]], ...command.words.slice(place + 3)] })();
    for (const value of texts ?? [null]) assign(memory, rest[1] ?? "", value);
  } else if (program === "alias") {
    for (const word of rest) if (word.includes("=")) rememberAlias(word, memory);
  } else if (copying.has(program)) {
    const paths = rest.filter((word) => !word.startsWith("-")).slice(0, 8);
    for (const [place, to] of paths.entries())
      for (const from of paths.slice(0, place)) nameAlias(memory, lastName(to), from);
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
