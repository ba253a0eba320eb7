import { homedir } from "node:os";
import { resolve } from "node:path";
import { fail } from "../../spec/index.ts";
import { dataRoot } from "../../stores/files/data-root.ts";
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
  try {
    const program = createProgram({
      show: (text) => help.push(text),
      columns: terminal.columns,
      isColoured: isColoured(stdout),
      context: () => createContext(program.opts().home, environment, terminal),
    });
    await program.parseAsync(toOptions(args), { from: "user" }).catch((thrown) => {
      if (!isHelp(thrown)) throw thrown;
    });
    await terminal.write(help.join(""));
  } catch (failure) {
    exitCode = end(failure);
  }
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

function createContext(
  home: string | undefined,
  environment: Readonly<Record<string, string | undefined>>,
  terminal: Terminal,
): CommandContext {
  const folder = workingFolder();
  const root = resolve(folder, home ?? dataRoot(environment, homedir()));
  return { terminal, home: root, folder, now: () => Date.now() };
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
