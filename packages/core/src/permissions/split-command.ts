import { createCommandScanner } from "./command-scanner.ts";

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
