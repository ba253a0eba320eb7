import type { WordChoices } from "./word-choices.ts";

/** The text a command may read as its input, as far as its text tells; `undefined`: that comes from elsewhere. */
export type InputText = () => readonly string[] | undefined;

/** One program with its words, wherever it stands: behind an operator, in brackets, in a substitution, a function. */
export interface ShellCommand {
  readonly words: readonly WordChoices[];
  /** Here-documents, here-strings, pipes and process substitutions that it is fed with. */
  readonly inputs: readonly InputText[];
  /** Files that it is fed with. */
  readonly files: readonly WordChoices[];
  /** Files that what it puts out is written to. */
  readonly outputs: readonly WordChoices[];
}

/** The facts learned of a command's text while it is read, for all of it, whatever stands first. */
export interface ShellMemory {
  /** The possible values of each variable. */
  readonly variables: Map<string, Set<string>>;
  /** The program that an alias, or a link or copy of it, stands for. */
  readonly aliases: Map<string, readonly string[]>;
  readonly functions: Set<string>;
  readonly commands: ShellCommand[];
  /** Brackets in brackets were too deep, or there was too much. */
  isTooMuch: boolean;
}

const maxValues = 16;

export function createShellMemory(): ShellMemory {
  const variables = new Map([["IFS", new Set([" "])]]);
  return { variables, aliases: new Map(), functions: new Set(), commands: [], isTooMuch: false };
}

/** Remembers another program besides those that the name stood for before. */
export function nameAlias({ aliases }: ShellMemory, name: string, program: string): void {
  const known = aliases.get(name) ?? [];
  if (!known.includes(program) && known.length < maxValues) aliases.set(name, [...known, program]);
}

/** Remembers a value besides those that it knows; `null`: anything may be in it. */
export function assign(memory: ShellMemory, name: string, value: string | null, isAdded = false): void {
  const known = memory.variables.get(name) ?? new Set<string>();
  memory.variables.set(name, known);
  const values = value === null ? [] : isAdded ? [value, ...[...known].map((one) => one + value)] : [value];
  for (const one of values) if (one.length <= 10_000) known.add(one);
  if (value !== null && known.size <= maxValues) return;
  memory.variables.set(name, new Set(["\ue002"]));
}
