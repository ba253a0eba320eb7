import type { MemoryHit, RecallKind } from "@palimpsest/core/spec";
import type { CommandContext } from "../../local/terminal.ts";
import { escapeTerminal, toJson } from "../../terminal/escape-terminal.ts";
import { formatDate } from "../../terminal/format-amount.ts";
import { cutText, padText, textWidth } from "../../terminal/text-width.ts";
import { openMemoryTarget, type TargetOptions } from "./memory-target.ts";

export interface SearchOptions extends TargetOptions {
  readonly limit?: number;
  readonly kind?: RecallKind;
  readonly json?: boolean;
}

export async function runSearch(
  context: CommandContext,
  words: readonly string[],
  options: SearchOptions,
): Promise<void> {
  const { terminal } = context;
  const { memory, folder } = await openMemoryTarget(context, options);
  const query = words.join(" ");
  const hits = await memory.search(query, {
    ...(options.limit === undefined ? {} : { limit: options.limit }),
    ...(options.kind === undefined ? {} : { kinds: [options.kind] }),
  });
  if (options.json) return terminal.write(toJson(hits.map(hitRow)));
  if (hits.length === 0) {
    const lines = [`Nothing found for “${escapeTerminal(query)}”.`, `  looked in: ${escapeTerminal(folder)}`];
    return terminal.write(`${lines.join("\n")}\n`);
  }
  const lines = hits.flatMap((hit) => [
    headLine(hit, context),
    `  ${cutText(escapeTerminal(hit.snippet), terminal.columns - 2)}`,
  ]);
  await terminal.write(`${lines.join("\n")}\n`);
}

function hitRow({ kind = "memory", path, name, session, entry, at, score, snippet }: MemoryHit) {
  const from = { session: session ?? null, entry: entry ?? null, at: at ?? null };
  return { kind, path, name: name ?? null, ...from, score, snippet };
}

const kindWidth = "message".length + 2;

/** A memory by its file and name; what was said by its session, when, and the entry that `Recall` takes. */
function headLine(
  { kind = "memory", path, name = "", session, at }: MemoryHit,
  { terminal: { style, columns } }: CommandContext,
): string {
  const isMemory = kind === "memory";
  const place = escapeTerminal(isMemory ? path : (session ?? ""));
  const more = isMemory
    ? escapeTerminal(name)
    : `${at === undefined ? "" : formatDate(at)}  ${escapeTerminal(path)}`;
  const room = Math.max(1, columns - kindWidth - textWidth(place) - 2);
  const shown = cutText(more.trim(), room);
  const said = isMemory ? style.bold(shown) : style.dim(shown);
  return `${style.dim(padText(kind, kindWidth))}${style.cyan(place)}${shown === "" ? "" : `  ${said}`}`;
}
