import { fstatSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { fail } from "@palimpsest/core/spec";
import { UsageError } from "../../local/or-throw.ts";
import type { Terminal } from "../../local/terminal.ts";

/** More is no prompt: the model reads files by itself. */
const maxInputBytes = 10_000_000;

/** After this long without a byte it is said what is waited for. */
const patienceMs = 3_000;

const form = 'use: palimpsest run -p "what to do", or pipe it in';

/** The prompt, with what is piped in below it. Throws a `UsageError` where there is neither. */
export async function readPrompt(terminal: Terminal, prompt: string | undefined): Promise<string> {
  const typed = prompt?.trim() === "" ? undefined : prompt;
  if (!terminal.isPiped) {
    if (typed === undefined) throw new UsageError(`there is nothing to do; ${form}`);
    return typed;
  }
  const piped = await readInput(terminal, typed !== undefined && isLeftOpen());
  const parts = [typed, piped.trim() === "" ? undefined : piped].filter((part) => part !== undefined);
  if (parts.length === 0) throw new UsageError(`there is nothing to do: standard input is empty; ${form}`);
  return parts.join("\n\n");
}

/** Programs that start others give them a socket, and often forget it; a shell gives a pipe that ends. */
function isLeftOpen(): boolean {
  try {
    return fstatSync(0).isSocket();
  } catch {
    return false;
  }
}

/** Waits for the end of the input, as every filter does, unless nothing comes where nothing may have been meant. */
async function readInput(terminal: Terminal, isOptional: boolean): Promise<string> {
  const input = terminal.input()[Symbol.asyncIterator]();
  const first = input.next();
  const isSilent = await isTimeOver(patienceMs, first);
  if (isSilent && isOptional) {
    first.catch(() => undefined);
    terminal.say("warning: nothing came on standard input; going on without it.");
    return "";
  }
  if (isSilent) terminal.say("Waiting for the end of standard input; “< /dev/null” gives none.");
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for (let read = await first; !read.done; read = await input.next()) {
    bytes += read.value.length;
    if (bytes > maxInputBytes) throw tooLarge();
    chunks.push(read.value);
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
}

/** Whether the time is over before the other thing has come. */
async function isTimeOver(ms: number, other: Promise<unknown>): Promise<boolean> {
  const done = new AbortController();
  try {
    const waited = setTimeout(ms, true, { signal: done.signal }).catch(() => true);
    return await Promise.race([waited, other.then(() => false)]);
  } finally {
    done.abort();
  }
}

function tooLarge(): Error {
  return fail("too-large", `More than ${maxInputBytes / 1e6} MB are piped in: no model can read that.`, {
    fix: "Write it into a file, and name the file in the prompt.",
  }).error;
}
