import { cutText } from "../fit-text.ts";
import { toHarmless, toJson } from "../harmless.ts";
import type { CommandContext } from "../terminal.ts";
import { openMemoryTarget, type TargetOptions } from "./memory-target.ts";

export interface SearchOptions extends TargetOptions {
  readonly limit?: number;
  readonly json?: boolean;
}

export async function runSearch(
  context: CommandContext,
  words: readonly string[],
  options: SearchOptions,
): Promise<void> {
  const { terminal } = context;
  const { style, columns } = terminal;
  const { memory, folder } = await openMemoryTarget(context, options);
  const query = words.join(" ");
  const hits = await memory.search(query, {
    ...(options.limit === undefined ? {} : { limit: options.limit }),
  });
  if (options.json) {
    return terminal.write(
      toJson(hits.map(({ path, score, snippet, name }) => ({ path, score, snippet, name: name ?? null }))),
    );
  }
  if (hits.length === 0) {
    const lines = [`Nothing found for “${toHarmless(query)}”.`, `  looked in: ${toHarmless(folder)}`];
    return terminal.write(`${lines.join("\n")}\n`);
  }
  const lines = hits.flatMap(({ path, snippet, name }) => [
    `${style.cyan(toHarmless(path))}${name === undefined ? "" : `  ${style.bold(cutText(toHarmless(name), Math.max(1, columns - path.length - 2)))}`}`,
    `  ${cutText(toHarmless(snippet), columns - 2)}`,
  ]);
  await terminal.write(`${lines.join("\n")}\n`);
}
