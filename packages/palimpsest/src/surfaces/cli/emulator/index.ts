import { InvalidArgumentError } from "commander";
import type { DescribeCommand } from "../command-table.ts";
import { parseCount } from "../parse-amount.ts";

const maxPort = 65_535;

/** `palimpsest emulator`; its code is loaded when it runs. */
export const describeEmulator: DescribeCommand = (command, context) => {
  command
    .description(
      "Run a server that speaks the Messages API, with a simulated prompt cache. A small script answers instead of a model: it greets, calls the tools you name, and summarises their results.",
    )
    .usage("[options]")
    .option("--port <number>", "where to listen; 0 for a free port", parsePort, 0)
    .option("--host <address>", "which address to listen on", "127.0.0.1")
    .option("--window <tokens>", "context window of every model, in tokens", parseCount)
    .option("--answer-model <name>", "name of the model in answers")
    .option("--json", "print one JSON document per line instead of text")
    .examples([
      ["palimpsest emulator --port 4010", "then: export ANTHROPIC_BASE_URL=http://127.0.0.1:4010"],
      ["palimpsest emulator --port 4010 --window 20000", "a window that is soon full"],
      ["palimpsest emulator --port 0 --json", "for programs"],
    ])
    .action(async (options) => (await import("./emulator-command.ts")).runEmulator(context(), options));
};

function parsePort(text: string): number {
  const port = /^\d+$/.test(text.trim()) ? Number(text) : -1;
  if (port < 0 || port > maxPort) {
    throw new InvalidArgumentError(`It must be a whole number from 0 to ${maxPort}.`);
  }
  return port;
}
