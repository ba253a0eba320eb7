import { PalimpsestError } from "@palimpsest/core/spec";
import { escapeTerminal } from "./escape-terminal.ts";
import { Exit, type ExitCode, exitCodes, UsageError } from "./or-throw.ts";
import type { Style } from "./style.ts";

export interface FailureReport {
  readonly lines: readonly string[];
  readonly exitCode: ExitCode;
}

/** The lines about a failure, and how to end. Expected ones never show a stack. */
export function reportFailure(failure: unknown, style: Style, isDebugging: boolean): FailureReport {
  const mark = style.red(style.bold("error:"));
  if (failure instanceof Exit) return { lines: [], exitCode: failure.exitCode };
  if (failure instanceof UsageError) {
    return { lines: [`${mark} ${escapeTerminal(failure.message)}`], exitCode: exitCodes.wrongUsage };
  }
  if (PalimpsestError.isInstance(failure)) {
    if (failure.code === "aborted") return { lines: [], exitCode: exitCodes.interrupted };
    const fix = failure.fix === undefined ? [] : [`  ${style.bold("fix:")} ${escapeTerminal(failure.fix)}`];
    return { lines: [`${mark} ${escapeTerminal(failure.message)}`, ...fix], exitCode: exitCodes.failed };
  }
  const message = failure instanceof Error ? failure.message : String(failure);
  const stack = isDebugging && failure instanceof Error ? [failure.stack ?? ""] : [];
  return {
    lines: [
      `${mark} this should not have happened: ${escapeTerminal(message)}`,
      `  ${style.bold("fix:")} report it with what PALIMPSEST_DEBUG=1 shows.`,
      ...stack,
    ],
    exitCode: exitCodes.failed,
  };
}
