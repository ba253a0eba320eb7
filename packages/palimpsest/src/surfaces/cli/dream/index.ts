import type { DescribeCommand } from "../command-table.ts";

const json = ["--json", "print one JSON document instead of text"] as const;
const cwd = ["--cwd <dir>", "the project of this folder (default: the one this is called in)"] as const;
const id = "its id, or the beginning of it";

/** `palimpsest dream` and the commands about dreams that were. Their code is loaded when one of them runs. */
export const describeDream: DescribeCommand = (dream, context) => {
  dream
    .description(
      "Tidy up this project's memories: merge duplicates, replace relative dates, correct errors, remove outdated ones. By a model if there is a key, else by fixed rules. Doubtful changes wait for your review.",
    )
    .usage("[options] | <command>")
    .option("--dry-run", "show the changes without making them")
    .option("--scribe", "by fixed rules, without a model")
    .option("--model <name>", "claude-…, anthropic:NAME, openai:NAME")
    .option(...cwd)
    .option(...json)
    .addHelpText("after", help)
    .examples([
      ["palimpsest dream --scribe --dry-run", "changes by fixed rules"],
      ["palimpsest dream", "tidy up memories now"],
      ["palimpsest dream review", "pending and applied dreams"],
      ["palimpsest dream undo dream_01kc3v9x", "undo one dream completely"],
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
  add("apply", "Apply a pending dream after you have reviewed it.")
    .argument("<id>", id)
    .option(...cwd)
    .option(...json)
    .examples([["palimpsest dream apply dream_01kc3v9x", "review it first"]])
    .action(async (named, _options, command) =>
      (await import("./judge-commands.ts")).runApply(context(), named, command.optsWithGlobals()),
    );
  add("discard", "Discard a pending dream. Memories stay as they are.")
    .argument("<id>", id)
    .option(...cwd)
    .option(...json)
    .examples([["palimpsest dream discard dream_01kc3v9x", "nothing of it is applied"]])
    .action(async (named, _options, command) =>
      (await import("./judge-commands.ts")).runDiscard(context(), named, command.optsWithGlobals()),
    );
  add("undo", "Undo a dream. Later changes stay; files with conflicting changes are kept and listed.")
    .argument("<id>", id)
    .option(...cwd)
    .option(...json)
    .examples([["palimpsest dream undo dream_01kc3v9x", "as new versions: nothing is lost"]])
    .action(async (named, _options, command) =>
      (await import("./judge-commands.ts")).runUndo(context(), named, command.optsWithGlobals()),
    );
};

const help = `
Ctrl+C stops it: memory and the time of the last dream are as before, unless
all changes were made already; then it says how to take them back.
Exit codes: 0 done, also where changes wait for you; 1 it failed, or another
one dreams; 2 called wrongly; 130 stopped.`;
