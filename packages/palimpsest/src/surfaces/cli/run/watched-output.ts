import { maskSecrets } from "@palimpsest/core/internal";
import { toHarmless } from "../harmless.ts";
import { createStyle } from "../style.ts";
import type { Terminal } from "../terminal.ts";
import { passingLine, progressLine } from "./progress-line.ts";
import type { RunOutput } from "./run-output.ts";

/** The same output, with lines beside it for a person who watches. Warnings are said to everybody. */
export function withProgress(output: RunOutput, terminal: Terminal, cwd: string): RunOutput {
  const { columns } = terminal;
  const style = terminal.isWatched ? terminal.style : createStyle(false);
  const place = { cwd, columns, style };
  return {
    async hear(event) {
      await output.hear(event);
      if (event.type === "message-show" && event.level === "warning") {
        await output.settle();
        terminal.say(warningLine(event.text, terminal));
      }
      if (!terminal.isWatched) return;
      const line = progressLine(event, place);
      if (line !== null) {
        await output.settle();
        terminal.say(line);
      }
      const passing = passingLine(event, place);
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
  return `${style.yellow("warning:")} ${toHarmless(maskSecrets(text))}`;
}
