import {
  fail,
  type MemoryFolder,
  type MemoryRevertReport,
  type MemoryRevertTarget,
} from "@palimpsest/core/spec";
import { exitWith, orThrow, UsageError } from "../../local/or-throw.ts";
import type { CommandContext } from "../../local/terminal.ts";
import { escapeTerminal, toJson } from "../../terminal/escape-terminal.ts";
import { toShellWord } from "../command-line.ts";
import { findFile, openMemoryTarget, type TargetOptions } from "./memory-target.ts";

export interface RevertOptions extends TargetOptions {
  readonly to?: number;
  readonly session?: string;
  readonly dream?: string;
  readonly json?: boolean;
}

const form = "palimpsest memory revert FILE [--to N] | --session ID | --dream ID";

export async function runRevert(
  context: CommandContext,
  named: string | undefined,
  options: RevertOptions,
): Promise<void> {
  const { terminal } = context;
  if ([named, options.session, options.dream].filter((one) => one !== undefined).length !== 1) {
    throw new UsageError(`name one thing to take back: a file, a session or a dream; use: ${form}`);
  }
  if (options.to !== undefined && named === undefined) {
    throw new UsageError(`--to goes with a file; use: ${form}`);
  }
  const { memory } = await openMemoryTarget(context, options);
  const report = await memory.revert(await toTarget(memory, named, options));
  if (options.json) await terminal.write(toJson(report));
  else {
    const lines = report.reverted.flatMap((one) => revertedLines(one, named !== undefined, options.to));
    await terminal.write(`${lines.length === 0 ? "There was nothing to undo." : lines.join("\n")}\n`);
  }
  for (const { path, why } of report.skipped)
    terminal.say(`kept ${escapeTerminal(path)}: ${escapeTerminal(why)}`);
  if (report.skipped.length > 0) exitWith("failed");
}

/** A file that goes away by being named is told why, and how it comes back. */
function revertedLines(
  { path, version, isRemoved }: MemoryRevertReport["reverted"][number],
  isNamed: boolean,
  to?: number,
): readonly string[] {
  const file = escapeTerminal(path);
  if (!isRemoved) return [`${file} is at version ${version} now`];
  if (!isNamed) return [`removed ${file}`];
  const last = version - 1;
  const why = to === undefined ? `: it was not there before version ${last}` : `, as in version ${to}`;
  return [
    `removed ${file}${why}`,
    `  to have it again: palimpsest memory revert ${toShellWord(file)} --to ${last}`,
  ];
}

async function toTarget(
  memory: MemoryFolder,
  named: string | undefined,
  { to, session, dream }: RevertOptions,
): Promise<MemoryRevertTarget> {
  if (named !== undefined) {
    const path = orThrow(await findFile(memory, named));
    return { path, ...(to === undefined ? {} : { version: to }) };
  }
  if (dream !== undefined) return { group: dream };
  return { session: await findWriter(memory, session ?? "") };
}

/** The session that is meant by its id or the beginning of it. */
async function findWriter(memory: MemoryFolder, named: string): Promise<string> {
  const all = (await memory.history()).map(({ session }) => session);
  const sessions = [...new Set(all.filter((session) => session !== undefined))];
  if (sessions.includes(named)) return named;
  const found = named === "" ? [] : sessions.filter((session) => session.startsWith(named));
  const [only] = found;
  if (only !== undefined && found.length === 1) return only;
  if (only === undefined) {
    throw fail("not-found", `No session “${named}” has written memories here.`, {
      fix: "“palimpsest memory log” shows which have.",
    }).error;
  }
  throw fail("invalid-input", `“${named}” may be ${found.join(", ")}.`, { fix: "Write more of the id." })
    .error;
}
