import type { Memory, MemoryFile } from "@palimpsest/core/spec";
import { orThrow } from "../../local/or-throw.ts";
import type { CommandContext } from "../../local/terminal.ts";
import { escapeTerminal, toHarmlessText, toJson } from "../../terminal/escape-terminal.ts";
import { formatAge, formatDate } from "../../terminal/format-amount.ts";
import { wrapText } from "../../terminal/wrap-text.ts";
import { memoryRow } from "./list-command.ts";
import { findFile, openMemoryTarget, type TargetOptions } from "./memory-target.ts";

export interface ShowOptions extends TargetOptions {
  readonly at?: number;
  readonly raw?: boolean;
  readonly json?: boolean;
}

export async function runShow(context: CommandContext, named: string, options: ShowOptions): Promise<void> {
  const { terminal } = context;
  const { memory } = await openMemoryTarget(context, options);
  const path = orThrow(await findFile(memory, named));
  const file = await memory.read(path, options.at);
  if (options.json) return terminal.write(toJson(toShown(path, file)));
  const place = terminal.isScreen ? "screen" : "pipe";
  if (options.raw) return terminal.write(terminal.isScreen ? toHarmlessText(file.text, place) : file.text);
  const body = toHarmlessText(file.memory?.body ?? file.text, place).trimEnd();
  await terminal.write(`${[...headLines(path, file, context), "", body].join("\n")}\n`);
}

function toShown(path: string, { text, version, memory }: MemoryFile) {
  const said = memory === undefined ? { path, version: version.version, at: version.at } : memoryRow(memory);
  return { ...said, sha256: version.sha256, bytes: version.bytes, writtenBy: version.author, text };
}

function headLines(
  path: string,
  { version, memory }: MemoryFile,
  { terminal, now }: CommandContext,
): readonly string[] {
  const { style, columns } = terminal;
  const written = `${formatDate(version.at)}, ${formatAge(now() - Date.parse(version.at))}`;
  const place = `${escapeTerminal(path)} · version ${version.version} · ${written}`;
  if (memory === undefined) return [style.dim(place)];
  return [
    style.bold(escapeTerminal(memory.name)),
    ...wrapText(escapeTerminal(memory.description), columns),
    style.dim(place),
    style.dim(escapeTerminal(originOf(memory))),
  ];
}

function originOf({ type, author, session, entries = [], trust, isConfirmed }: Memory): string {
  return [
    type,
    `by ${author}`,
    ...(session === undefined ? [] : [`in ${session}`]),
    ...(entries.length > 0 ? [`from ${entries.join(" ")}`] : []),
    isConfirmed ? "confirmed" : trust,
  ].join(" · ");
}
