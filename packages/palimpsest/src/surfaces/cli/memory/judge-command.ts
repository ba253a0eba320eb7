import type { CommandContext } from "../../local/terminal.ts";
import { escapeTerminal, toJson } from "../../terminal/escape-terminal.ts";
import { memoryRow } from "./list-command.ts";
import { openMemoryTarget, type TargetOptions } from "./memory-target.ts";

export interface JudgeOptions extends TargetOptions {
  readonly json?: boolean;
}

export async function runConfirm(
  context: CommandContext,
  named: readonly string[],
  options: JudgeOptions,
): Promise<void> {
  const { terminal } = context;
  const { memory } = await openMemoryTarget(context, options);
  const confirmed: ReturnType<typeof memoryRow>[] = [];
  for (const name of named) {
    const written = await memory.confirm(toPath(name));
    confirmed.push(memoryRow(written.memory));
    if (!options.json) await terminal.write(`confirmed ${escapeTerminal(written.memory.path)}\n`);
  }
  if (options.json) await terminal.write(toJson(confirmed));
}

export async function runReject(
  context: CommandContext,
  named: readonly string[],
  options: JudgeOptions,
): Promise<void> {
  const { terminal } = context;
  const { memory } = await openMemoryTarget(context, options);
  const rejected: { readonly path: string; readonly version: number }[] = [];
  for (const name of named) {
    const { path, version } = await memory.reject(toPath(name));
    rejected.push({ path, version });
    if (!options.json) await terminal.write(`rejected ${escapeTerminal(path)}; its versions are kept\n`);
  }
  if (options.json) await terminal.write(toJson(rejected));
}

function toPath(named: string): string {
  return named.endsWith(".md") ? named : `${named}.md`;
}
