#!/usr/bin/env node
import { exitCodes } from "./exit-codes.ts";
import { runCommandLine } from "./run-command-line.ts";

/** How long an interrupted command may take to leave things in order. */
const graceMs = 5000;

const interrupt = new AbortController();
const stop = () => process.exit(exitCodes.interrupted);
process.on("SIGINT", () => {
  if (interrupt.signal.aborted) stop();
  interrupt.abort();
  setTimeout(stop, graceMs).unref();
});
process.exit(await runCommandLine(process.argv.slice(2), interrupt.signal));
