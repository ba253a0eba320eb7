import type { BlamedLine } from "@palimpsest/core/spec";
import { padText } from "../fit-text.ts";
import { formatDate } from "../format-time.ts";
import { toHarmless, toJson } from "../harmless.ts";
import { orThrow } from "../or-throw.ts";
import type { CommandContext } from "../terminal.ts";
import { findFile } from "./find-file.ts";
import { openMemoryTarget, type TargetOptions } from "./memory-target.ts";

export interface BlameOptions extends TargetOptions {
  readonly json?: boolean;
}

export async function runBlame(context: CommandContext, named: string, options: BlameOptions): Promise<void> {
  const { terminal } = context;
  const { memory } = await openMemoryTarget(context, options);
  const path = orThrow(await findFile(memory, named));
  const blamed = await memory.blame(path);
  if (options.json) return terminal.write(toJson(blamed.map(toRecord)));
  if (blamed.length === 0) return terminal.write(`${toHarmless(path)} has no lines now.\n`);
  const width = String(Math.max(...blamed.map(({ version }) => version.version))).length;
  const lines = blamed.map(({ line, version: { version, author, at } }) => {
    const origin = `${padText(String(version), width, "right")} ${padText(author, 6)} ${formatDate(at)}`;
    return `${terminal.style.dim(origin)}  ${toHarmlessLine(line)}`.trimEnd();
  });
  await terminal.write(`${lines.join("\n")}\n`);
}

/** Indentation says something here. */
function toHarmlessLine(line: string): string {
  const indent = /^ */.exec(line)?.[0] ?? "";
  return indent + toHarmless(line.slice(indent.length));
}

function toRecord({ line, version: { version, at, author, session, source } }: BlamedLine) {
  return { line, version, at, author, session: session ?? null, source: source ?? null };
}
