import { Option } from "commander";
import type { DescribeCommand } from "../command-table.ts";

/** `palimpsest chat`; its code is loaded when it runs. */
export const describeChat: DescribeCommand = (command, context) => {
  command
    .description(
      "Work with the agent in this folder: it reads and edits files, runs commands, and asks before what may do harm.",
    )
    .usage("[options]")
    .addOption(new Option("--resume <id>", "go on with this session").conflicts("continue"))
    .option("--continue", "go on with this project's newest session")
    .option("--model <name>", "claude-…, anthropic:NAME, openai:NAME")
    .option("--fallback-model <name>", "answers while the model cannot")
    .option("--instructions <text>", "told to the model before everything else")
    .option("--no-rules", "without rules files of the user and the project")
    .option("--cwd <dir>", "work in this folder (default: the one this is called in)")
    .addOption(
      new Option("--permission-mode <mode>", "what may be done unasked")
        .choices(["default", "ask", "plan", "bypass"])
        .default("default"),
    )
    .option("--allow <rule>", "allow without asking; may be repeated", collect)
    .option("--deny <rule>", "never allow; may be repeated", collect)
    .option("--add-dir <dir>", "may be worked in too; may be repeated", collect)
    .option("--screen-reader", "plain lines: no boxes, no meters, nothing that is drawn over")
    .examples([
      ["palimpsest chat", "begin"],
      ["palimpsest chat --continue", "where it was left"],
      ["palimpsest chat --permission-mode plan", "first a plan, then the work"],
    ])
    .action(async (options) => (await import("./chat-command.ts")).runChatCommand(context(), options));
};

function collect(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, text];
}
