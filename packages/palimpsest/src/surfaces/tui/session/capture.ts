import { stripVTControlCharacters } from "node:util";
import { Exit } from "../../cli/exit-codes.ts";
import { createStyle } from "../../cli/style.ts";
import type { CommandContext, Terminal } from "../../cli/terminal.ts";

export interface CapturePlace {
  readonly columns: number;
  readonly isColoured: boolean;
  readonly signal: AbortSignal;
  /** Hears what is only shown for a moment. */
  readonly step: (text: string) => void;
}

/** Lets a command of the program run with a terminal that keeps what it writes; nobody can be asked there. */
export async function capture(
  context: CommandContext,
  { columns, isColoured, signal, step }: CapturePlace,
  run: (context: CommandContext) => Promise<void>,
): Promise<readonly string[]> {
  const written: string[] = [];
  const terminal: Terminal = {
    columns,
    style: createStyle(isColoured),
    isInteractive: false,
    isWatched: true,
    isScreen: true,
    isPiped: false,
    signal,
    isClosed: false,
    async write(part) {
      written.push(typeof part === "string" ? part : Buffer.from(part).toString("utf8"));
    },
    say: (line) => void written.push(`${line}\n`),
    progress: (line) => step(stripVTControlCharacters(line)),
    confirm: async () => false,
    ask: async () => null,
    askHidden: async () => "",
    async *input() {},
  };
  try {
    await run({ ...context, terminal });
  } catch (cause) {
    if (!(cause instanceof Exit)) throw cause;
  }
  return written.join("").replace(/\n+$/, "").split("\n");
}
