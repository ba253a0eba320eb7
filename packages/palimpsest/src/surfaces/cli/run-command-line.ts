import { homedir } from "node:os";
import { resolve } from "node:path";
import { dataRoot } from "@palimpsest/core/internal/start";
import { fail } from "@palimpsest/core/spec";
import { type CommandStores, createCommandStores } from "./command-stores.ts";
import { commandTable } from "./command-table.ts";
import { createProgram, isHelp } from "./create-program.ts";
import { type ExitCode, exitCodes } from "./exit-codes.ts";
import { createProcessTerminal } from "./process-terminal.ts";
import { reportFailure } from "./report-failure.ts";
import { createStyle, isColourWanted } from "./style.ts";
import type { CommandContext, Terminal } from "./terminal.ts";

/** Runs one command of this process and gives the code to end with. Never throws. */
export async function runCommandLine(args: readonly string[], interrupt: AbortSignal): Promise<ExitCode> {
  const { stdin, stdout, stderr, env: environment } = process;
  const isColourRefused = args.includes("--no-color");
  const terminal = createProcessTerminal({ stdin, stdout, stderr, environment, isColourRefused, interrupt });
  const isColoured = (stream: NodeJS.WriteStream) =>
    !isColourRefused && isColourWanted(stream.isTTY === true, environment);
  const help: string[] = [];
  const end = (failure: unknown): ExitCode => {
    const style = createStyle(isColoured(stderr));
    const report = reportFailure(failure, style, Boolean(environment.PALIMPSEST_DEBUG));
    for (const line of report.lines) terminal.say(line);
    return terminal.isClosed && report.exitCode === exitCodes.interrupted ? exitCodes.done : report.exitCode;
  };
  let exitCode: ExitCode = exitCodes.done;
  const opened: CommandStores[] = [];
  try {
    const program = createProgram({
      show: (text) => help.push(text),
      columns: terminal.columns,
      isColoured: isColoured(stdout),
      context: () => createContext(program.opts(), environment, terminal, opened),
    });
    program.hook("preAction", () => terminal.hideKeys());
    await program.parseAsync(toOptions(args), { from: "user" }).catch((thrown) => {
      if (!isHelp(thrown)) throw thrown;
    });
    await terminal.write(help.join(""));
  } catch (failure) {
    exitCode = end(failure);
  }
  for (const stores of opened) await stores.close();
  await terminal.flush();
  return exitCode;
}

/** `help sessions show` is `sessions show --help`: only the latter loads what it shows. */
function toOptions(args: readonly string[]): string[] {
  const [first, named, ...rest] = args;
  if (first !== "help") return [...args];
  if (named === undefined) return ["--help"];
  return commandTable.some(({ name }) => name === named) ? [named, ...rest, "--help"] : [named];
}

interface GlobalOptions {
  readonly home?: string;
  readonly store?: string;
}

/** What it opens is closed by whoever has the list. */
function createContext(
  { home: named, store }: GlobalOptions,
  environment: Readonly<Record<string, string | undefined>>,
  terminal: Terminal,
  opened: CommandStores[],
): CommandContext {
  const folder = workingFolder();
  const home = resolve(folder, named ?? dataRoot(environment, homedir()));
  const chosen = store === undefined ? {} : { store };
  const stores = createCommandStores({ home, environment, ...chosen });
  opened.push(stores);
  return { terminal, home, folder, ...chosen, stores: stores.open, now: () => Date.now() };
}

function workingFolder(): string {
  try {
    return process.cwd();
  } catch (cause) {
    throw fail("not-found", "The folder this was called in is gone.", {
      fix: "Change to another one.",
      cause,
    }).error;
  }
}
