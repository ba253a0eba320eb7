import { homedir } from "node:os";
import { resolve } from "node:path";
import { dataRoot, version } from "@palimpsest/core/internal/start";
import { fail } from "@palimpsest/core/spec";
import { CommanderError, InvalidArgumentError } from "commander";
import { type CommandStores, createCommandStores } from "../local/command-stores.ts";
import { type ExitCode, exitCodes } from "../local/or-throw.ts";
import type { CommandContext, Terminal } from "../local/terminal.ts";
import { createStyle, isColourWanted } from "../terminal/style.ts";
import { wrapLines } from "../terminal/wrap-text.ts";
import { CommandLine, HelpShown } from "./command-line.ts";
import { commandTable } from "./command-table.ts";
import { createProcessTerminal, minColumns } from "./process-terminal.ts";
import { reportFailure } from "./report-failure.ts";

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
    // A pipe gets each message on one line.
    const columns = stderr.isTTY ? Math.max(minColumns, stderr.columns || 80) : Number.POSITIVE_INFINITY;
    const report = reportFailure(failure, { style, columns }, Boolean(environment.PALIMPSEST_DEBUG));
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
    await terminal.write(wrapLines(help.join(""), terminal.columns));
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

/** Creates the context; whatever it opens is closed by whoever has the list. */
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
    throw fail("not-found", "The working folder no longer exists.", {
      fix: "Change to another one.",
      cause,
    }).error;
  }
}

interface ProgramOptions {
  /** Gets help and version. */
  readonly show: (text: string) => void;
  readonly columns: number;
  readonly isColoured: boolean;
  /** The context for a command that runs; called once the options are known. */
  readonly context: () => CommandContext;
}

/** The program with its commands as names only; each is filled in when it is called. */
function createProgram({ show, columns, isColoured, context }: ProgramOptions): CommandLine {
  const program = new CommandLine("palimpsest");
  program
    .description("The context and memory engine for LLM agents.")
    .usage("<command> [options]")
    .version(version, "-V, --version", "print the version")
    .option("--home <dir>", "the data root (default: $PALIMPSEST_HOME, else ~/.palimpsest)", parseFolder)
    .option("--store <url>", "files, or postgres://… (default: $DATABASE_URL, else files)")
    .option("--no-color", "no colour, also on a terminal")
    .helpOption("-h, --help", "show help")
    .helpCommand(false)
    .configureOutput({
      writeOut: show,
      writeErr: show,
      getOutHelpWidth: () => columns,
      getOutHasColors: () => isColoured,
    })
    .configureHelp({
      styleTitle: createStyle(true).bold,
      showGlobalOptions: true,
      visibleGlobalOptions: (command) =>
        command === program ? [] : program.options.filter(({ long }) => long !== "--version"),
    })
    .exitOverride();
  program.examples([
    ["palimpsest sessions list", "this project's sessions, newest first"],
    ["palimpsest sessions show FILE", "contents of a transcript of any tool"],
    ["palimpsest help sessions show", "help on a command"],
  ]);
  for (const { name, summary, load } of commandTable) {
    const slot = program
      .createCommand(name)
      .summary(summary)
      .description(`${summary}.`)
      .usage("<command> [options]");
    slot.copyInheritedSettings(program);
    program.addCommand(slot);
    program.hook("preSubcommand", async (_program, command) => {
      if (command === slot) (await load())(slot, context);
    });
  }
  return program;
}

/** Help or the version was asked for and shown: no failure. */
function isHelp(thrown: unknown): boolean {
  return thrown instanceof HelpShown || (thrown instanceof CommanderError && thrown.exitCode === 0);
}

function parseFolder(path: string): string {
  if (path === "") throw new InvalidArgumentError("It must name a folder.");
  return path;
}
