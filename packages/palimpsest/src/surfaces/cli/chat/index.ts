import { Option } from "commander";
import type { DescribeCommand } from "../command-table.ts";
import { economyOption, setOption } from "../set-option.ts";

/** `palimpsest chat`; its code is loaded when it runs. */
export const describeChat: DescribeCommand = (command, context) => {
  command
    .description(
      "Work with the agent in this folder: it reads and edits files, runs commands, and asks before risky actions.",
    )
    .usage("[options]")
    .addOption(new Option("--resume <id>", "continue this session").conflicts("continue"))
    .option("--continue", "continue this project's newest session")
    .option("--model <name>", "claude-…, anthropic:NAME, openai:NAME")
    .option("--fallback-model <name>", "used while the model is unavailable")
    .option("--instructions <text>", "added to the system prompt")
    .option("--no-rules", "ignore rules files of the user and the project")
    .option("--cwd <dir>", "work in this folder (default: the one this is called in)")
    .addOption(
      new Option("--permission-mode <mode>", "actions allowed without asking")
        .choices(["default", "ask", "plan", "bypass"])
        .default("default"),
    )
    .option("--allow <rule>", "allow without asking; may be repeated", collect)
    .option("--deny <rule>", "never allow; may be repeated", collect)
    .option("--add-dir <dir>", "another working folder; may be repeated", collect)
    .addOption(economyOption())
    .option(...setOption)
    .option("--screen-reader", "plain lines: no boxes, no meters, no redrawing")
    .examples([
      ["palimpsest chat", "start a session"],
      ["palimpsest chat --continue", "continue the newest session"],
      ["palimpsest chat --permission-mode plan", "first a plan, then the work"],
    ])
    .action(async (options) => (await import("./chat-command.ts")).runChatCommand(context(), options));
};

function collect(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, text];
}
