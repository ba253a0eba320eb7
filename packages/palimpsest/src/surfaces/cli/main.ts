#!/usr/bin/env node
import { exitCodes } from "../local/or-throw.ts";
import { runCommandLine } from "./run-command-line.ts";

/** How long an interrupted command may take to leave things in order: tools end, then tasks in the background. */
const graceMs = 10_000;

/** One key press can come twice: to the whole group, and handed on by whoever started the program. */
const echoMs = 200;

const interrupt = new AbortController();
const stop = () => process.exit(exitCodes.interrupted);
let interruptedMs = Number.POSITIVE_INFINITY;
const begin = () => {
  if (interrupt.signal.aborted) return;
  interruptedMs = performance.now();
  interrupt.abort();
  setTimeout(stop, graceMs).unref();
};
process.on("SIGINT", () => {
  if (performance.now() - interruptedMs > echoMs) stop();
  begin();
});
for (const signal of ["SIGTERM", "SIGHUP"] as const) process.on(signal, begin);
// A command that only waits, as for its next try, must not be taken for one that has nothing left to do.
setInterval(() => undefined, 2 ** 30);
process.exit(await runCommandLine(process.argv.slice(2), interrupt.signal));
