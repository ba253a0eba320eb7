import { PalimpsestError } from "@palimpsest/core/spec";
import { Exit, type ExitCode, exitCodes, UsageError } from "../local/or-throw.ts";
import { escapeExactly, escapeTerminal } from "../terminal/escape-terminal.ts";
import type { Style } from "../terminal/style.ts";
import { wrapBehind } from "../terminal/wrap-text.ts";

export interface FailureReport {
  readonly lines: readonly string[];
  readonly exitCode: ExitCode;
}

/** The lines about a failure, and how to end. Expected ones never show a stack. */
export function reportFailure(
  failure: unknown,
  { style, columns }: { readonly style: Style; readonly columns: number },
  isDebugging: boolean,
): FailureReport {
  const told = (text: string) =>
    wrapBehind("error: ", escapeExactly(text), columns).map((line) =>
      line.replace(/^error:/, style.red(style.bold("error:"))),
    );
  const mended = (text: string) =>
    wrapBehind("  fix: ", escapeTerminal(text), columns).map((line) =>
      line.replace(/^ {2}fix:/, `  ${style.bold("fix:")}`),
    );
  if (failure instanceof Exit) return { lines: [], exitCode: failure.exitCode };
  if (failure instanceof UsageError) {
    return { lines: told(oneLine(failure.message)), exitCode: exitCodes.wrongUsage };
  }
  if (PalimpsestError.isInstance(failure)) {
    if (failure.code === "aborted") return { lines: [], exitCode: exitCodes.interrupted };
    const fix = failure.fix === undefined ? [] : mended(failure.fix);
    return { lines: [...failure.message.split("\n").flatMap(told), ...fix], exitCode: exitCodes.failed };
  }
  const message = failure instanceof Error ? failure.message : String(failure);
  const stack = isDebugging && failure instanceof Error ? [failure.stack ?? ""] : [];
  return {
    lines: [
      ...told(oneLine(`this should not have happened: ${message}`)),
      ...mended("report it with what PALIMPSEST_DEBUG=1 shows."),
      ...stack,
    ],
    exitCode: exitCodes.failed,
  };
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ");
}
