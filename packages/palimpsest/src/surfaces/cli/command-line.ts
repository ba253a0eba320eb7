import { Command } from "commander";
import { UsageError } from "../local/or-throw.ts";

const helpColumns = 80;

/** A command whose mistakes in usage are one line with the right form in it. */
export class CommandLine extends Command {
  override createCommand(name?: string): CommandLine {
    return new CommandLine(name);
  }

  override error(message: string): never {
    const wrong = message
      .replace(/^error: /, "")
      // An option's value may be a secret.
      .replace(/^unknown option '(--[\w-]+)=[\s\S]*'/, "unknown option '$1'")
      .replace(/\s*\n\(Did you mean (.*?)\?\)/, " (did you mean $1?)")
      .replace(/\.$/, "");
    throw new UsageError(`${wrong}; use: ${this.form()}`);
  }

  /** Also called when a command is missing: the program itself then shows what it has. */
  override help(context?: unknown): never {
    const isMistake = (context as { readonly error?: boolean } | undefined)?.error === true;
    if (isMistake && this.parent !== null) this.error(`a command is missing after “${this.name()}”`);
    this.outputHelp();
    throw new HelpShown();
  }

  /** Examples at the end of the help, each with what it does: beside it where that fits, else above it. */
  examples(lines: readonly (readonly [command: string, does: string])[]): this {
    const width = Math.max(...lines.map(([command]) => command.length));
    const beside = lines.map(([command, does]) => `  ${command.padEnd(width)}  ${does}`.trimEnd());
    const above = lines.map(([command, does]) => `  # ${does}\n  ${command}`);
    const rows = beside.some((row) => row.length > helpColumns) ? above : beside;
    return this.addHelpText("after", ({ command }) => {
      const title = command.createHelp().styleTitle("Examples:");
      return `\n${title}\n${rows.join("\n")}`;
    });
  }

  /** `palimpsest sessions list [options]`, or with the commands it has. */
  private form(): string {
    const names: string[] = [];
    for (let command: Command | null = this; command !== null; command = command.parent)
      names.unshift(command.name());
    const commands = this.commands.map((command) => command.name());
    const rest = commands.length === 0 ? this.usage() : `${commands.join("|")} …`;
    return [...names, rest].join(" ");
  }
}

/** Thrown once help was written: there is nothing more to do. */
export class HelpShown extends Error {
  override readonly name = "HelpShown";
}

/** A text as one word of a command that a person copies into a shell. */
export function toShellWord(text: string): string {
  return /^[\w:/.-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
