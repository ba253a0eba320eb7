import { StringDecoder } from "node:string_decoder";
import { setImmediate } from "node:timers/promises";
import type { ReadStream } from "node:tty";
import { fail } from "@palimpsest/core/spec";

/** Thrown into a command that was waiting for a person, or was stopped at its next step. */
export function interruption(): Error {
  return fail("aborted", "Interrupted.").error;
}

/** One line typed at a terminal; `null` when the input ends before it does. */
export async function readAnswer(stdin: NodeJS.ReadStream, signal: AbortSignal): Promise<string | null> {
  const decoder = new StringDecoder("utf8");
  let typed = "";
  return untilDone<string | null>(stdin, signal, (chunk, done) => {
    typed += chunk === null ? "" : decoder.write(chunk);
    const end = typed.indexOf("\n");
    if (end !== -1) done(typed.slice(0, end).replace(/\r$/, ""));
    else if (chunk === null) done(null);
  });
}

/** Takes away what was typed before anybody asked: it was no answer. */
export async function dropTyped(stdin: NodeJS.ReadStream): Promise<void> {
  const drop = () => undefined;
  stdin.on("data", drop).resume();
  await setImmediate();
  await setImmediate();
  stdin.off("data", drop).pause();
}

const keys = {
  interrupt: "\u0003",
  end: "\u0004",
  clear: "\u0015",
  backspace: "\u007f",
  delete: "\b",
} as const;

/** A line that is not shown while it is typed. The keys a person knows from passwords work. */
export async function readHidden(stdin: ReadStream, signal: AbortSignal): Promise<string> {
  const decoder = new StringDecoder("utf8");
  let typed: string[] = [];
  stdin.setRawMode(true);
  try {
    return await untilDone<string>(stdin, signal, (chunk, done, interrupt) => {
      if (chunk === null) return done(typed.join(""));
      for (const key of decoder.write(chunk)) {
        if (key === keys.interrupt) return interrupt();
        if (key === "\r" || key === "\n" || key === keys.end) return done(typed.join(""));
        if (key === keys.clear) typed = [];
        else if (key === keys.backspace || key === keys.delete) typed.pop();
        else typed.push(key);
      }
    });
  } finally {
    stdin.setRawMode(false);
  }
}

/** Feeds what comes in, and `null` at its end, until `done` or `interrupt` is called or the signal aborts. */
function untilDone<T>(
  stdin: NodeJS.ReadStream,
  signal: AbortSignal,
  take: (chunk: Buffer | null, done: (value: T) => void, interrupt: () => void) => void,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      stdin.off("data", onData).off("end", onEnd).pause();
      signal.removeEventListener("abort", interrupt);
    };
    const done = (value: T) => {
      stop();
      resolve(value);
    };
    const interrupt = () => {
      stop();
      reject(interruption());
    };
    const onData = (chunk: Buffer) => take(chunk, done, interrupt);
    const onEnd = () => take(null, done, interrupt);
    if (signal.aborted) return interrupt();
    if (stdin.readableEnded) return onEnd();
    signal.addEventListener("abort", interrupt);
    stdin.on("data", onData).on("end", onEnd).resume();
  });
}
