import { toHarmless, toJson } from "../harmless.ts";
import { orThrow } from "../or-throw.ts";
import { toHarmlessText } from "../run/harmless-text.ts";
import type { Style } from "../style.ts";
import type { CommandContext } from "../terminal.ts";
import { findFile } from "./find-file.ts";
import { openMemoryTarget, type TargetOptions } from "./memory-target.ts";

export interface DiffOptions extends TargetOptions {
  readonly json?: boolean;
}

export async function runDiff(
  context: CommandContext,
  named: string,
  range: { readonly from?: number; readonly to?: number },
  options: DiffOptions,
): Promise<void> {
  const { terminal } = context;
  const { memory } = await openMemoryTarget(context, options);
  const path = orThrow(await findFile(memory, named));
  const diff = await memory.diff(path, range);
  if (options.json) return terminal.write(toJson(diff));
  if (diff.text === "") {
    return terminal.write(`Versions ${diff.from} and ${diff.to} of ${toHarmless(path)} are the same.\n`);
  }
  const text = toHarmlessText(diff.text, terminal.isScreen ? "screen" : "pipe");
  await terminal.write(
    text
      .split("\n")
      .map((line) => paint(line, terminal.style))
      .join("\n"),
  );
}

function paint(line: string, style: Style): string {
  if (line.startsWith("+++") || line.startsWith("---")) return style.bold(line);
  if (line.startsWith("@@")) return style.cyan(line);
  if (line.startsWith("+")) return style.green(line);
  return line.startsWith("-") ? style.red(line) : line;
}
