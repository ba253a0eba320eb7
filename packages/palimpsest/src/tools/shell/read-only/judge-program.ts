import type { ProgramGrammar } from "./program-grammar.ts";
import { readArguments } from "./read-arguments.ts";
import type { CommandWord } from "./split-command.ts";

/** A read of a program, from where it runs. */
export interface ProgramRead {
  readonly word: CommandWord;
  readonly isRecursive: boolean;
  /** Below a folder it reads names only, not contents. */
  readonly isListing: boolean;
  /** It goes down through links too. */
  readonly followsLinks?: boolean;
  /** Of a folder it reads each file in it, through links. */
  readonly readsEntries?: boolean;
  /** Git shows what is anywhere in the repository around it. */
  readonly isRepository?: boolean;
}

export const workingFolder: CommandWord = { text: ".", isPattern: false, fixedChars: 1 };

/** The reads of a program called so; `undefined` where it may do more. */
export function judgeProgram(
  words: readonly CommandWord[],
  grammar: ProgramGrammar,
): readonly ProgramRead[] | undefined {
  const given = readArguments(words, grammar);
  if (given === undefined) return undefined;
  const { operands: kind = "path", maxOperands, operand, marks, needsOption } = grammar;
  const { firstOperand, recursion, folderByDefault, followsLinks = [], keepsLinks } = grammar;
  const operands = given.operands.filter(({ text }) => marks?.test(text) !== true);
  if (needsOption !== undefined && !given.has(needsOption)) return undefined;
  if (kind === "none" && operands.length > 0) return undefined;
  if (maxOperands !== undefined && !isAtMost(operands, maxOperands)) return undefined;
  if (operand !== undefined && !given.operands.every(({ text }) => operand.test(text))) return undefined;
  const isRecursive = recursion === "always" || (recursion !== undefined && given.has(recursion));
  const skipped = skippedOperands(operands, firstOperand, given.has);
  if (skipped === undefined) return undefined;
  // Names of files that take the place of a pattern are read from a folder, whatever is done with them.
  const read = operands.slice(skipped).filter(({ isPattern }) => kind === "path" || isPattern);
  const usesFolder =
    read.length === 0 && (folderByDefault === "always" || (folderByDefault === "recursive" && isRecursive));
  const isKeeping = keepsLinks !== undefined && given.isWritten(keepsLinks);
  const isFollowing = !isKeeping && followsLinks.some((row) => row.every((name) => given.isWritten([name])));
  const readsEntries = keepsLinks !== undefined && !isKeeping;
  return [...read, ...given.paths, ...(usesFolder ? [workingFolder] : [])]
    .filter(({ text }) => text !== "-")
    .map((word) => ({
      word,
      isRecursive,
      isListing: grammar.isListing ?? false,
      ...(isFollowing && { followsLinks: true }),
      ...(readsEntries && { readsEntries }),
    }));
}

/** How many operands at the beginning are no paths; `undefined` where one must be there and is not as it must be. */
function skippedOperands(
  [first]: readonly CommandWord[],
  firstOperand: ProgramGrammar["firstOperand"],
  has: (names: readonly string[]) => boolean,
): number | undefined {
  if (firstOperand === undefined) return 0;
  const [syntax, ...unless] = firstOperand;
  if (unless.length > 0 && has(unless)) return 0;
  if (first === undefined || !syntax.test(first.text)) return unless.length > 0 ? 0 : undefined;
  if (!first.isPattern) return 1;
  // A pattern may be several words, of which the later ones are paths, or become another first one.
  return unless.length > 0 ? 0 : undefined;
}

function isAtMost(operands: readonly CommandWord[], most: number): boolean {
  return operands.length <= most && (most === 0 || !operands.some(({ isPattern }) => isPattern));
}
