import type { CommandPattern } from "./command-pattern.ts";
import { foldPath } from "./fold-path.ts";
import { splitCommand } from "./split-command.ts";
import { trimCommand } from "./trim-command.ts";

/** Programs and words of the shell that run what stands behind them. */
const wrappers = new Set(
  `bash builtin busybox chroot command coproc dash do doas else elif env eval exec find flock if ionice ksh nice nohup
   parallel script setsid sh ssh stdbuf strace su sudo then time timeout unshare until watch while xargs zsh ! {`.split(
    /\s+/,
  ),
);

const maxDepth = 4;
/** How far behind a wrapper is looked, and how many words from there: enough for what people write. */
const maxPositions = 100;
const maxWords = 40;

/**
 * Generously, for saying no: whether a part of the command, or something that a part would run, is what the pattern
 * names. Variables in front, paths of programs, quotes and the usual wrappers hide nothing. It cannot see what a
 * program does by itself.
 */
export function coversCommand(pattern: CommandPattern, command: string): boolean {
  if (pattern.form === "exact" && pattern.text === trimCommand(command)) return true;
  const named = pattern.form === "prefix" ? pattern.words : soleWords(pattern.text);
  if (named === undefined) return false;
  const wanted = named.map(foldPath);
  return runnable(command, 0).some(
    (words) =>
      (pattern.form === "prefix" || words.length === wanted.length) &&
      wanted.every((word, position) => foldPath(words[position] ?? "") === word),
  );
}

function soleWords(text: string): readonly string[] | undefined {
  const { parts } = splitCommand(text);
  return parts.length === 1 ? parts[0]?.words : undefined;
}

/** Everything that may run, as words. */
function runnable(command: string, depth: number): readonly (readonly string[])[] {
  if (depth > maxDepth) return [];
  const { parts, nested } = splitCommand(command);
  return [
    ...parts.flatMap(({ words }) => runnableWords(words, depth)),
    ...nested.flatMap((text) => runnable(text, depth + 1)),
  ];
}

function runnableWords(words: readonly string[], depth: number): readonly (readonly string[])[] {
  const begin = words.findIndex((word) => !/^[A-Za-z_]\w*(?:\[[^\]]*\])?\+?=/.test(word));
  if (begin < 0) return [];
  const [program = "", ...rest] = words.slice(begin);
  const name = program.slice(program.lastIndexOf("/") + 1);
  const own = [
    [program, ...rest],
    [name, ...rest],
  ];
  if (!wrappers.has(name)) return own;
  const behind = rest
    .slice(0, maxPositions)
    .flatMap((word, position) => [
      rest.slice(position, position + maxWords),
      [word.slice(word.lastIndexOf("/") + 1), ...rest.slice(position + 1, position + maxWords)],
      ...(/\s|[;&|(`$]/.test(word) ? runnable(word, depth + 1) : []),
    ]);
  return [...own, ...behind];
}
