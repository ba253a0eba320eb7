import { InvalidArgumentError, Option } from "commander";
import type { CommandLine } from "../command-line.ts";
import type { DescribeCommand } from "../command-table.ts";
import { parseCount, parseDuration } from "../parse-amount.ts";
import { economyOption, setOption } from "../set-option.ts";

/** `palimpsest run`; its code is loaded when it runs. */
export const describeRun: DescribeCommand = (command, context) => {
  command
    .description(
      "Let the agent work on one prompt in this folder, then exit. It reads and edits files, runs commands, and asks before risky actions; without a terminal to ask on, these are denied.",
    )
    .usage("-p <text> [options]")
    .option("-p, --prompt <text>", "what to do; text that is piped in is added below it")
    .addOption(
      new Option("--output <form>", "the answer; one JSON document; or every event as it happens")
        .choices(["text", "json", "stream-json"])
        .default("text"),
    );
  describeSession(command);
  describeLimits(command);
  describePermissions(command);
  command
    .addHelpText("after", exitHelp)
    .examples([
      ['palimpsest run -p "why does the build fail?"', "ask about this folder"],
      ['git diff | palimpsest run -p "review this"', "with piped text"],
      ['palimpsest run --continue -p "now fix it"', "continue"],
      [
        'palimpsest run -p "fix the tests" --allow "Bash(npm test)" --budget 2',
        "with permissions and a budget",
      ],
    ])
    .action(async (options) => (await import("./run-command.ts")).runRun(context(), options));
};

function describeSession(command: CommandLine): void {
  command
    .addOption(new Option("--resume <id>", "continue this session").conflicts("continue"))
    .option("--continue", "continue this project's newest session")
    .option("--model <name>", "claude-…, anthropic:NAME, openai:NAME")
    .option("--fallback-model <name>", "used while the model is unavailable")
    .option("--instructions <text>", "added to the system prompt")
    .option("--no-rules", "ignore rules files of the user and the project")
    .option("--cwd <dir>", "work in this folder (default: the one this is called in)");
}

function describeLimits(command: CommandLine): void {
  command
    .option("--max-turns <n>", "requests to the model at most", parseCount)
    .option("--budget <dollars>", "stop when this much is spent", parseDollars)
    .option("--budget-tokens <n>", "stop after this many tokens, cached ones counted", parseCount)
    .option("--budget-time <time>", "stop after this long, such as 90s, 10m, 1h", parseDuration);
}

function describePermissions(command: CommandLine): void {
  command
    .addOption(
      new Option("--permission-mode <mode>", "actions allowed without asking")
        .choices(["default", "ask", "plan", "bypass"])
        .default("default"),
    )
    .option("--allow <rule>", "allow without asking; may be repeated", collect)
    .option("--deny <rule>", "never allow; may be repeated", collect)
    .option("--add-dir <dir>", "another working folder; may be repeated", collect)
    .addOption(economyOption())
    .option(...setOption);
}

function collect(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, text];
}

function parseDollars(text: string): number {
  const dollars = /^\$?\d+(?:\.\d+)?$/.test(text.trim()) ? Number(text.trim().replace("$", "")) : 0;
  if (!(dollars > 0)) throw new InvalidArgumentError("It must be dollars over 0, such as 0.50.");
  return dollars;
}

const exitHelp = `
Rules: Tool or Tool(pattern), such as Read, "Bash(git log:*)", "Edit(src/**)".

Ends with 0 when the model is done, 1 when it failed or came to a limit, 2 for
wrong usage, 3 when the model's window is full, 130 when it was interrupted.
Ctrl+C interrupts and keeps the session, twice ends at once.`;
