import type { DescribeCommand } from "../command-table.ts";

const json = ["--json", "print one JSON document instead of text"] as const;
const cwd = ["--cwd <dir>", "the project of this folder (default: the one this is called in)"] as const;
const id = "its id, or the beginning of it";

/** `palimpsest dream` and the commands about dreams that were. Their code is loaded when one of them runs. */
export const describeDream: DescribeCommand = (dream, context) => {
  dream
    .description(
      "Put this project's memories in order: duplicates become one, relative dates those of the calendar, what is wrong is corrected, what is stale goes. By a model where there is a key, else by fixed rules. What is doubtful waits for you.",
    )
    .usage("[options] | <command>")
    .option("--dry-run", "say what would be changed, and change nothing")
    .option("--scribe", "by fixed rules, without a model")
    .option("--model <name>", "claude-…, anthropic:NAME, openai:NAME")
    .option(...cwd)
    .option(...json)
    .addHelpText("after", help)
    .examples([
      ["palimpsest dream --scribe --dry-run", "what fixed rules would change"],
      ["palimpsest dream", "put memories in order now"],
      ["palimpsest dream review", "what waits for you, and what was done"],
      ["palimpsest dream undo dream_01kc3v9x", "take one back, whole"],
    ])
    .action(async (options) => (await import("./dream-command.ts")).runDream(context(), options));

  const add = (name: string, summary: string) => {
    const command = dream.createCommand(name).description(summary);
    command.copyInheritedSettings(dream);
    dream.addCommand(command);
    return command;
  };
  add("review", "List dreams, or show the changes of one that waits or was applied.")
    .argument("[id]", id)
    .option(...cwd)
    .option(...json)
    .examples([
      ["palimpsest dream review", "all of them, newest first"],
      ["palimpsest dream review dream_01kc3v9x", "its changes, and why it waits"],
    ])
    .action(async (named, _options, command) =>
      (await import("./review-command.ts")).runReview(context(), named, command.optsWithGlobals()),
    );
  add("apply", "Apply a dream that waits: you have read it, and want it.")
    .argument("<id>", id)
    .option(...cwd)
    .option(...json)
    .examples([["palimpsest dream apply dream_01kc3v9x", "look at it with review before"]])
    .action(async (named, _options, command) =>
      (await import("./judge-commands.ts")).runApply(context(), named, command.optsWithGlobals()),
    );
  add("discard", "Forget a dream that waits. Memory stays as it is.")
    .argument("<id>", id)
    .option(...cwd)
    .option(...json)
    .examples([["palimpsest dream discard dream_01kc3v9x", "nothing of it is applied"]])
    .action(async (named, _options, command) =>
      (await import("./judge-commands.ts")).runDiscard(context(), named, command.optsWithGlobals()),
    );
  add("undo", "Take a dream back. What was changed since stays; files where the two meet are kept and named.")
    .argument("<id>", id)
    .option(...cwd)
    .option(...json)
    .examples([["palimpsest dream undo dream_01kc3v9x", "by new versions: nothing is lost"]])
    .action(async (named, _options, command) =>
      (await import("./judge-commands.ts")).runUndo(context(), named, command.optsWithGlobals()),
    );
};

const help = `
Ctrl+C stops it: memory and the time of the last dream are as before, unless
all changes were made already; then it says how to take them back.
Exit codes: 0 done, also where changes wait for you; 1 it failed, or another
one dreams; 2 called wrongly; 130 stopped.`;
