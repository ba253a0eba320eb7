import { maskSecrets } from "@palimpsest/core/internal";
import type { LoopEvent, RunEnd } from "@palimpsest/core/spec";
import type { Terminal } from "../../local/terminal.ts";
import { escapeTerminal } from "../../terminal/escape-terminal.ts";
import { formatSeconds } from "../../terminal/format-amount.ts";
import { createStyle, type Style } from "../../terminal/style.ts";
import { cutText } from "../../terminal/text-width.ts";
import { toolLine } from "../../terminal/tool-line.ts";

/** The same output, with lines beside it for a person who watches. Warnings are said to everybody. */
export function withProgress(output: RunOutput, terminal: Terminal, cwd: string): RunOutput {
  const { columns } = terminal;
  const style = terminal.isWatched ? terminal.style : createStyle(false);
  const location = { cwd, columns, style };
  return {
    async hear(event) {
      await output.hear(event);
      if (event.type === "message-show" && event.level === "warning") {
        await output.settle();
        terminal.say(warningLine(event.text, terminal));
      }
      if (!terminal.isWatched) return;
      const line = progressLine(event, location);
      if (line !== null) {
        await output.settle();
        terminal.say(line);
      }
      const passing = passingLine(event, location);
      if (passing !== null) {
        await output.settle();
        terminal.progress(passing);
      }
    },
    settle: output.settle,
    finish: output.finish,
  };
}

/** A warning on one line, whole: it says what to do. */
export function warningLine(text: string, terminal: Terminal): string {
  const style = terminal.isWatched ? terminal.style : createStyle(false);
  return `${style.yellow("warning:")} ${escapeTerminal(maskSecrets(text))}`;
}

interface LineLocation {
  readonly cwd: string;
  readonly columns: number;
  readonly style: Style;
}

/** Told at the beginning of every session: news to the model, not to the person. */
const unsaid: ReadonlySet<string> = new Set(["surroundings"]);

/** An event on one line, for a person who watches; `null`: nothing. */
export function progressLine(event: LoopEvent, { cwd, columns, style }: LineLocation): string | null {
  const line = (text: string) => cutText(escapeTerminal(text), columns);
  switch (event.type) {
    case "tool-start":
      return style.cyan(toolLine(event.tool, event.input, cwd, columns));
    case "tool-end":
      return event.isError
        ? style.yellow(`  ${cutText(escapeTerminal(`! ${firstText(event.content)}`), columns - 2)}`)
        : null;
    case "retry-wait":
      return style.yellow(line(`~ again in ${formatSeconds(event.delayMs)}: ${event.message}`));
    case "response-cut":
      if (event.code === "aborted") return null;
      return style.yellow(line(`~ discarded: ${event.message}`));
    case "model-fallback":
      return style.yellow(line(`~ going on with ${event.to}: ${event.message}`));
    case "notice-add":
      return unsaid.has(event.subtype) ? null : style.dim(line(`+ ${event.subtype}: ${event.text}`));
    case "message-show":
      return event.level === "info" ? style.dim(line(`+ ${event.text}`)) : null;
    default:
      return null;
  }
}

/** A line that is shown until something else is. */
export function passingLine(event: LoopEvent, { columns, style }: LineLocation): string | null {
  const line = (text: string) => style.dim(cutText(escapeTerminal(text), columns - 1));
  if (event.type === "model-start") return line(`… ${event.model}`);
  if (event.type === "tool-progress") return line(`… ${event.text}`);
  if (event.type === "block-start" && event.block.type === "thinking") return line("… thinking");
  return null;
}

function firstText(content: string | readonly { readonly type: string }[]): string {
  if (typeof content === "string") return content;
  const block = content.find(({ type }) => type === "text") as { readonly text?: unknown } | undefined;
  return typeof block?.text === "string" ? block.text : "";
}

/** Where a run's events go. */
export interface RunOutput {
  hear(event: LoopEvent): Promise<void>;
  /** Nothing is half written: something else may be said now. */
  settle(): Promise<void>;
  finish(end: RunEnd): Promise<void>;
}
