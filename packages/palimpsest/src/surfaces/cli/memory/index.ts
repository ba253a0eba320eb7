import { Option } from "commander";
import type { CommandLine } from "../command-line.ts";
import type { DescribeCommand } from "../command-table.ts";
import { parseCount } from "../parse-amount.ts";

const json = ["--json", "print one JSON document instead of text"] as const;
const project = [
  "--project <dir|slug>",
  "another project: its folder, or its name under the data root",
] as const;
const dir = ["--dir <dir>", "this very folder of memories, wherever it is"] as const;
const file = "a file such as topic.md, the beginning of its name, or the memory's name";

/** The commands that look after memories. Their code is loaded when one of them runs. */
export const describeMemory: DescribeCommand = (memory, context) => {
  const add = (name: string, summary: string) => {
    const command = memory.createCommand(name).description(summary);
    command.copyInheritedSettings(memory);
    memory.addCommand(command);
    return command.option(...project).option(...dir);
  };
  describeReading(add, context);
  describeVersions(add, context);
  describeJudging(add, context);
  describeMoving(add, context);
  memory.examples([
    ["palimpsest memory list", "memories of this project"],
    ["palimpsest memory edit deploys", "change a memory, or begin one"],
    ["palimpsest memory revert --session ses_01kc3v9x", "undo the changes of a session"],
  ]);
};

type AddCommand = (name: string, summary: string) => CommandLine;
type Context = Parameters<DescribeCommand>[1];

function describeReading(add: AddCommand, context: Context): void {
  add("list", "List this project's memories.")
    .option("--quarantine", "those that wait to be confirmed or rejected")
    .option(...json)
    .examples([
      ["palimpsest memory list", "all memories"],
      ["palimpsest memory list --quarantine", "what waits for you"],
    ])
    .action(async (options) => (await import("./commands.ts")).runList(context(), options));

  add("show", "Show a memory and where it came from.")
    .argument("<file>", file)
    .option("--at <version>", "as it was then", parseCount)
    .option("--raw", "the file as it is, and nothing else")
    .option(...json)
    .examples([
      ["palimpsest memory show deploys", "by the beginning of its name"],
      ["palimpsest memory show deploys.md --at 2", "an earlier version"],
      ["palimpsest memory show MEMORY.md --raw", "the index"],
    ])
    .action(async (named, options) => (await import("./commands.ts")).runShow(context(), named, options));

  add("search", "Find memories, notes and messages of past sessions, best match first.")
    .argument("<query...>", "words")
    .option("--limit <n>", "at most this many (default: 10)", parseCount)
    .addOption(new Option("--kind <kind>", "only these").choices(["memory", "notes", "message"]))
    .option(...json)
    .examples([
      ["palimpsest memory search deploy friday", "in this project"],
      ["palimpsest memory search deploy --kind message", "messages about it"],
      ["palimpsest memory search deploy --dir notes --json", "in any folder, for programs"],
    ])
    .action(async (words, options) => (await import("./commands.ts")).runSearch(context(), words, options));

  add("edit", "Change a memory in your editor, or begin a new one. Makes a version by you.")
    .argument("<file>", `${file}; MEMORY.md for your own lines of the index`)
    .addHelpText("after", editHelp)
    .examples([
      ["palimpsest memory edit deploys.md", "opens it in $VISUAL or $EDITOR"],
      ['EDITOR="code --wait" palimpsest memory edit MEMORY.md', "your own lines of the index"],
    ])
    .action(async (named, options) => (await import("./commands.ts")).runEdit(context(), named, options));
}

function describeVersions(add: AddCommand, context: Context): void {
  add("log", "Show the versions of a memory, or of all, newest first.")
    .argument("[file]", file)
    .option("--limit <n>", "at most this many", parseCount)
    .option(...json)
    .examples([
      ["palimpsest memory log", "what happened lately"],
      ["palimpsest memory log deploys.md", "one file"],
    ])
    .action(async (named, options) => (await import("./commands.ts")).runLog(context(), named, options));

  add("diff", "Show what changed between two versions of a memory.")
    .argument("<file>", file)
    .argument("[from]", "the one version (default: the one before)", parseCount)
    .argument("[to]", "the other (default: the newest)", parseCount)
    .option(...json)
    .examples([
      ["palimpsest memory diff deploys.md", "the newest change"],
      ["palimpsest memory diff deploys.md 1 4", "from version 1 to version 4"],
    ])
    .action(async (named, from, to, options) =>
      (await import("./commands.ts")).runDiff(context(), named, { from, to }, options),
    );

  add("blame", "Show which version brought each line of a memory.")
    .argument("<file>", file)
    .option(...json)
    .examples([["palimpsest memory blame deploys.md", "who wrote what, and when"]])
    .action(async (named, options) => (await import("./commands.ts")).runBlame(context(), named, options));

  add("revert", "Take changes back, by a new version: nothing is lost.")
    .usage("<file> | --session <id> | --dream <id> [options]")
    .argument("[file]", file)
    .option("--to <version>", "the version to go back to (default: the one before)", parseCount)
    .option("--session <id>", "all that this session wrote; the beginning of its id is enough")
    .option("--dream <id>", "all that this dream wrote")
    .option(...json)
    .examples([
      ["palimpsest memory revert deploys.md", "to the version before"],
      ["palimpsest memory revert --session ses_01kc3v9x", "everything of one session"],
    ])
    .action(async (named, options) => (await import("./commands.ts")).runRevert(context(), named, options));
}

function describeJudging(add: AddCommand, context: Context): void {
  add("confirm", "Agree to memories: they leave quarantine, and count as confirmed.")
    .argument("<file...>", file)
    .option(...json)
    .examples([["palimpsest memory confirm deploys.md", "look at it with show before"]])
    .action(async (named, options) => (await import("./commands.ts")).runConfirm(context(), named, options));

  add("reject", "Do not agree to memories in quarantine: they go. Their versions stay.")
    .argument("<file...>", file)
    .option(...json)
    .examples([["palimpsest memory reject deploys.md", "it is not remembered"]])
    .action(async (named, options) => (await import("./commands.ts")).runReject(context(), named, options));

  add("doctor", "Check the memories for problems. Changes nothing.")
    .option("--reindex", "first write MEMORY.md anew if it is not as it should be")
    .option(...json)
    .addHelpText("after", doctorHelp)
    .examples([
      ["palimpsest memory doctor", "problems, as rates and one by one"],
      ["palimpsest memory doctor --reindex", "bring the index in step first"],
    ])
    .action(async (options) => (await import("./commands.ts")).runDoctor(context(), options));
}

function describeMoving(add: AddCommand, context: Context): void {
  add("import", "Bring in memories from a folder of markdown files or from an export.")
    .argument("<folder|file>", "a folder, a JSON file of an export, or - for standard input")
    .option("--trusted", "you know what they say: they count as trusted")
    .option("--replace", "write over memories that say something else")
    .option("--dry-run", "show the changes without making them")
    .option(...json)
    .examples([
      ["palimpsest memory import notes --dry-run", "what would come in"],
      ["palimpsest memory import memories.json --trusted", "your own export"],
    ])
    .action(async (named, options) => (await import("./commands.ts")).runImport(context(), named, options));

  add("export", "Write all memories into one JSON file, or as files into a folder.")
    .option("-o, --out <file>", "write to this file (default: standard output)")
    .option("--folder <dir>", "write files into this folder, which must be empty or new")
    .option("--force", "replace the file if it is there")
    .examples([
      ["palimpsest memory export -o memories.json", "to keep or to hand on"],
      ["palimpsest memory export --folder backup", "as they are"],
    ])
    .action(async (options) => (await import("./commands.ts")).runExport(context(), options));
}

const editHelp = `
The editor gets a copy. What it saved becomes a version if it is a memory and
nobody else wrote meanwhile; else your text is kept, and you are told where.`;

const doctorHelp = `
duplicate       says the same as another memory
near-duplicate  shares most of its text with another
recall-loop     holds text that was itself recalled from memory
stale-path      names a file that is not there
secret          holds something that looks like a key or a password
orphan          is listed in MEMORY.md and gone, or there and not listed
invalid         has no front matter, or not all of it`;
