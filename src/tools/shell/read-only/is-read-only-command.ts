import { fitsRules, type OptionRules } from "./option-rules.ts";
import { isReadOnlyGit } from "./read-only-git.ts";
import { guardedPrograms, harmlessPrograms } from "./read-only-programs.ts";
import { type CommandWord, splitCommand } from "./split-command.ts";

/** Longer ones are not looked at. */
const maxCommandChars = 10_000;

/**
 * Whether a command is known to change nothing: pipelines and lists of programs and options from tables. Everything
 * else is not, though it may be harmless. What it reads, and from which folder, is not judged here.
 */
export function isReadOnlyCommand(command: string): boolean {
  if (command.length > maxCommandChars) return false;
  const commands = splitCommand(command);
  if (commands === undefined) return false;
  const programs = commands.map(([program]) => program?.text);
  // Another folder's repository may name programs in its configuration.
  if (programs.includes("cd") && programs.includes("git")) return false;
  return commands.every(isReadOnly);
}

function isReadOnly(words: readonly CommandWord[]): boolean {
  const [program, ...rest] = words;
  if (program === undefined || program.isPattern) return false;
  if (harmlessPrograms.has(program.text)) return true;
  if (rest.some(mayGrowOptions)) return false;
  const texts = rest.map(({ text }) => text);
  if (program.text === "git") return isReadOnlyGit(texts);
  if (!Object.hasOwn(guardedPrograms, program.text)) return false;
  return fitsRules(texts, guardedPrograms[program.text] as OptionRules);
}

/** A pattern that begins with a pattern may stand for a file whose name is an option. */
function mayGrowOptions({ text, isPattern }: CommandWord): boolean {
  return isPattern && /^[-*?[]/.test(text);
}
