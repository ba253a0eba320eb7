import { withoutEscapes } from "./escapes.ts";
import type { InputText, ShellCommand } from "./shell-memory.ts";
import { isAssignment, lastName } from "./shell-names.ts";

const maxTexts = 16;

/** What a command puts out, where its text tells: that of `echo`, `printf`, `cat` and `tee`; the path that `which` gives. */
export function outputOf({ words, inputs }: Pick<ShellCommand, "words" | "inputs">): InputText {
  return () => {
    const texts: string[] = [];
    for (const sequence of sequencesOf(words)) {
      const [program = "", ...rest] = withoutWords(sequence);
      const found = puts(lastName(program), rest, inputs);
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

function puts(
  program: string,
  rest: readonly string[],
  inputs: readonly InputText[],
): readonly string[] | undefined {
  if (program === "echo") {
    const begin = rest.findIndex((word) => !/^-[neE]+$/.test(word));
    const text = begin < 0 ? "" : rest.slice(begin).join(" ");
    return both(text);
  }
  if (program === "printf") return printed(rest[0] === "--" ? rest.slice(1) : rest);
  if (program === "which" || program === "type")
    return rest.filter((word) => !word.startsWith("-")).slice(0, 1);
  if (program === "yes") return [rest.join(" ")];
  const reads = program === "tee" || rest.every((word) => word.startsWith("-"));
  if ((program !== "cat" && program !== "tee") || !reads) return undefined;
  const texts = inputs.map((input) => input());
  return texts.length === 0 || texts.includes(undefined) ? undefined : texts.flatMap((one) => one ?? []);
}

function both(text: string): readonly string[] {
  return text.includes("\\") ? [text, withoutEscapes(text)] : [text];
}

function printed([format = "", ...values]: readonly string[]): readonly string[] {
  const left = [...values];
  let text = "";
  do {
    text += format.replace(/%(?:-?\d*(?:\.\d+)?)([a-zA-Z%])/g, (_, kind: string) =>
      kind === "%" ? "%" : kind === "b" ? withoutEscapes(left.shift() ?? "") : (left.shift() ?? ""),
    );
  } while (left.length > 0 && /%[^%]/.test(format) && text.length < 10_000);
  return both(text);
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

/** What commands write to files, by their names, each text and all together: somebody may run it afterwards. */
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
