import type { ReadStream } from "node:tty";
import type { EnvironmentMask } from "@palimpsest/core/internal";
import { fail } from "@palimpsest/core/spec";
import type { Terminal } from "../local/terminal.ts";
import { createStyle, isColourWanted } from "../terminal/style.ts";
import { dropTyped, interruption, readAnswer, readHidden } from "./ask.ts";

const defaultColumns = 80;
/** A narrower terminal is written to as if it were that wide. */
export const minColumns = 40;
const clearLine = "\r\u001b[K";

export interface ProcessTerminalOptions {
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly isColourRefused: boolean;
  /** Aborts when the person interrupts. */
  readonly interrupt: AbortSignal;
}

export interface ProcessTerminal extends Terminal {
  /** From here on no key of the process is said: help and usage have none, and need not load what looks for them. */
  hideKeys(): Promise<void>;
  /** Everything said and written has left the process. */
  flush(): Promise<void>;
}

/** The terminal of a process. A closed output is no failure: what is written to it goes nowhere. */
export function createProcessTerminal(options: ProcessTerminalOptions): ProcessTerminal {
  const { stdin, stdout, stderr, environment, isColourRefused, interrupt } = options;
  let keys: Pick<EnvironmentMask, "text"> = { text: (line) => line };
  const closing = new AbortController();
  const signal = AbortSignal.any([interrupt, closing.signal]);
  const isInteractive = stdin.isTTY === true && stderr.isTTY === true;
  let failure: Error | null = null;
  let hasProgress = false;

  stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") failure = error;
    closing.abort();
  });
  // Without a reader for messages there is nobody to tell about it.
  stderr.on("error", () => undefined);

  function clearProgress(): void {
    if (hasProgress) stderr.write(clearLine);
    hasProgress = false;
  }

  return {
    columns: Math.max(minColumns, (stdout.isTTY && stdout.columns) || defaultColumns),
    style: createStyle(!isColourRefused && isColourWanted(stdout.isTTY === true, environment)),
    isInteractive,
    isWatched: stderr.isTTY === true,
    isScreen: stdout.isTTY === true,
    isPiped: stdin.isTTY !== true,
    signal,
    get isClosed() {
      return closing.signal.aborted && failure === null;
    },
    async write(part) {
      if (closing.signal.aborted) return;
      clearProgress();
      await new Promise<void>((resolve) => stdout.write(part, () => resolve()));
      if (failure !== null)
        throw fail("io", `Could not write the answer: ${failure.message}.`, { cause: failure }).error;
    },
    say(line) {
      clearProgress();
      stderr.write(`${keys.text(line)}\n`);
    },
    progress(line) {
      if (stderr.isTTY !== true) return;
      stderr.write(clearLine + keys.text(line));
      hasProgress = true;
    },
    async hideKeys() {
      const { createEnvironmentMask } = await import("@palimpsest/core/internal");
      keys = createEnvironmentMask(environment);
    },
    async confirm(question) {
      clearProgress();
      stderr.write(`${question} [y/N] `);
      const answer = await readAnswer(stdin, signal);
      if (answer === null) stderr.write("\n");
      return /^y(es)?$/i.test(answer?.trim() ?? "");
    },
    async ask(question) {
      clearProgress();
      await dropTyped(stdin);
      stderr.write(question);
      const answer = await readAnswer(stdin, signal);
      if (answer === null) stderr.write("\n");
      return answer;
    },
    async askHidden(question) {
      clearProgress();
      stderr.write(question);
      try {
        return await readHidden(stdin as ReadStream, signal);
      } finally {
        stderr.write("\n");
      }
    },
    async *input() {
      const stop = () => void stdin.destroy();
      signal.addEventListener("abort", stop);
      try {
        for await (const chunk of stdin) yield chunk as Uint8Array;
      } catch (cause) {
        throw signal.aborted ? interruption() : cause;
      } finally {
        signal.removeEventListener("abort", stop);
      }
    },
    async flush() {
      clearProgress();
      for (const stream of [stdout, stderr]) {
        if (stream.destroyed || stream.writableEnded) continue;
        await new Promise<void>((resolve) => stream.write("", () => resolve()));
      }
    },
  };
}
