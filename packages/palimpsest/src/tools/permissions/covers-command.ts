import { type CommandPattern, splitCommand, trimCommand } from "@palimpsest/core/internal";
import { matchWords, toWantedWords } from "./commands/match-words.ts";
import { type RunnableCommands, readRunnable } from "./commands/runnable-commands.ts";

/** Why a rule that says no is about a command. */
export type CommandCover =
  | { readonly kind: "named" }
  /** It could turn out to be what the rule names; `why` says what cannot be known. */
  | { readonly kind: "possible"; readonly why: string };

const uncertainWord =
  "a variable, a pattern or another command's output stands where the program or one of its words would";

/**
 * Generously, for saying no: whether a command, or something that it would run, is what the pattern names, or could be.
 * What a program does by itself cannot be seen: scripts, makefiles, aliases of earlier commands.
 */
export function coversCommand(
  pattern: CommandPattern,
  command: string,
  read: (command: string) => RunnableCommands = readRunnable,
): CommandCover | undefined {
  if (pattern.form === "exact" && pattern.text === trimCommand(command)) return { kind: "named" };
  const named = pattern.form === "prefix" ? pattern.words : soleWords(pattern.text);
  if (named === undefined) return undefined;
  const wanted = toWantedWords(named, pattern.form === "exact");
  const { commands, codes, unknown } = read(command);
  let isPossible = false;
  for (const words of commands) {
    const found = matchWords(wanted, words);
    if (found === "is") return { kind: "named" };
    isPossible ||= found === "could";
  }
  const isInCode = codes.some((words) =>
    words.some((_, place) => matchWords(wanted, words.slice(place, place + 40)) !== undefined),
  );
  if (isInCode) return { kind: "named" };
  const why = isPossible ? uncertainWord : unknown;
  return why === undefined ? undefined : { kind: "possible", why };
}

function soleWords(text: string): readonly string[] | undefined {
  const { parts } = splitCommand(text);
  return parts.length === 1 ? parts[0]?.words : undefined;
}
