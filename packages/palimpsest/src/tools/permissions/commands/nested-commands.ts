import { commandsInOptions } from "./running-options.ts";
import { inputShells, loaders, plainReaders, runners, runningWords } from "./running-programs.ts";
import type { ShellMemory } from "./shell-memory.ts";
import { anyText, anyWords, isUnknown } from "./unknown-text.ts";

/** The commands that a program would run: those that begin behind its own words and options. */
export function* nestedCommands(
  name: string,
  rest: readonly string[],
  { functions }: ShellMemory,
): Generator<readonly string[]> {
  const isFile = inputShells.has(name) || name === "source" || name === ".";
  const isOpen = functions.has(name) || isUnknown(name);
  const own = Object.hasOwn(runners, name)
    ? runners[name]
    : isOpen
      ? 1
      : isFile || loaders.test(name)
        ? 0
        : undefined;
  const isFed = name === "xargs" || name === "parallel";
  if (own !== undefined) yield* candidates(isFed ? fedWords(rest) : rest, own);
  const words = Object.hasOwn(runningWords, name) ? (runningWords[name] ?? []) : [];
  yield* commandsInOptions(name, rest);
  const named = containers.has(name) ? 1 : 0;
  for (const [position, word] of rest.entries()) {
    if (words.includes(word)) {
      yield* candidates(rest.slice(position + 1).map(fillPlaceholder), named);
      const text = rest[position + 1] ?? "";
      if (/[\s;&|]/.test(text)) yield ["eval", text];
    }
    if (word === "--" && !plainReaders.has(name)) yield rest.slice(position + 1);
  }
}

/** A name of their own stands before what they run. */
const containers: ReadonlySet<string> = new Set([
  "direnv",
  "docker",
  "docker-compose",
  "kubectl",
  "podman",
  "rustup",
]);

function candidates(rest: readonly string[], own: number): readonly (readonly string[])[] {
  const found: (readonly string[])[] = [];
  let left = own;
  for (let position = 0, isValue = false; position < rest.length && found.length < 200; position += 1) {
    const word = rest[position] ?? "";
    const isSkipped = /^-|^[A-Za-z_]\w*=/.test(word) || word === "{" || word === "!";
    if (!isSkipped) found.push(rest.slice(position));
    if (!isSkipped && !isValue) left -= 1;
    isValue = /^-[^=]*$/.test(word) && word !== "--" && !/^-(?:[a-zA-Z]?\d+$|[IiJ].)/.test(word);
    if (left < 0) break;
  }
  return found;
}

/** As words that come from the input stand in them, or behind them. */
function fedWords(rest: readonly string[]): readonly string[] {
  const position = rest.findIndex((word) => /^(?:-I|-i|-J|--replace=?)$/.test(word));
  const mark = rest[position + 1];
  const marked =
    position < 0 || mark === undefined || mark === ""
      ? rest
      : rest.map((word, at) => (at > position + 1 ? word.replaceAll(mark, anyText) : word));
  const own = rest.find((word) => /^-[IiJ]./.test(word))?.slice(2) || "{}";
  const all = marked
    .filter((word) => !/^:::/.test(word))
    .map((word) => word.replaceAll(own, anyText).replaceAll("{}", anyText));
  return [...all, anyWords];
}

function fillPlaceholder(word: string): string {
  return word.replaceAll("{}", anyText);
}
