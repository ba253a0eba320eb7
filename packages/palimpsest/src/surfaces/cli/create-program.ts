import { version } from "@palimpsest/core/internal/start";
import { CommanderError, InvalidArgumentError } from "commander";
import { CommandLine, HelpShown } from "./command-line.ts";
import { commandTable } from "./command-table.ts";
import { createStyle } from "./style.ts";
import type { CommandContext } from "./terminal.ts";

export interface ProgramOptions {
  /** Gets help and version. */
  readonly show: (text: string) => void;
  readonly columns: number;
  readonly isColoured: boolean;
  /** What a command that runs gets; called once the options are known. */
  readonly context: () => CommandContext;
}

/** The program with its commands as names only; each is filled in when it is called. */
export function createProgram({ show, columns, isColoured, context }: ProgramOptions): CommandLine {
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
    ["palimpsest sessions show FILE", "what a transcript holds, whoever wrote it"],
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
export function isHelp(thrown: unknown): boolean {
  return thrown instanceof HelpShown || (thrown instanceof CommanderError && thrown.exitCode === 0);
}

function parseFolder(path: string): string {
  if (path === "") throw new InvalidArgumentError("It must name a folder.");
  return path;
}
