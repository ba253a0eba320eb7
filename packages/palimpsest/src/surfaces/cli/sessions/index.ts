import { Option } from "commander";
import type { CommandLine } from "../command-line.ts";
import type { DescribeCommand } from "../command-table.ts";
import { parseCount, parseDuration, parseSize } from "../parse-amount.ts";

const json = ["--json", "print one JSON document instead of text"] as const;
const yes = ["--yes", "do not ask"] as const;
const dryRun = ["--dry-run", "show the changes without making them"] as const;
const takeOver = [
  "--take-over",
  "take the session from a process on another machine that does not respond",
] as const;
const project = [
  "--project <dir|slug>",
  "look in this project only: its folder, or its name under the data root",
] as const;

/** The commands that look after recorded sessions. Their code is loaded when one of them runs. */
export const describeSessions: DescribeCommand = (sessions, context) => {
  const add = (name: string, summary: string) => {
    const command = sessions.createCommand(name).description(summary);
    command.copyInheritedSettings(sessions);
    sessions.addCommand(command);
    return command;
  };
  describeReading(add, context);
  describeMending(add, context);
  describeRemoving(add, context);
  sessions.examples([
    ["palimpsest sessions list", "this project's sessions"],
    ["palimpsest sessions show ses_01kc3v9x", "one of them, by the beginning of its id"],
    ["palimpsest sessions show talk.jsonl.gz", "a transcript of another tool"],
  ]);
};

type AddCommand = (name: string, summary: string) => CommandLine;
type Context = Parameters<DescribeCommand>[1];

function describeReading(add: AddCommand, context: Context): void {
  add("list", "List this project's sessions, newest first.")
    .option("--all", "the sessions of all projects")
    .option(...project)
    .option("--limit <n>", "at most this many", parseCount)
    .option(...json)
    .examples([
      ["palimpsest sessions list", "the project of this folder"],
      ["palimpsest sessions list --all --limit 20", "the newest of all projects"],
      ["palimpsest sessions list --project ~/shop --json", "for programs"],
    ])
    .action(async (options) => (await import("./commands.ts")).runList(context(), options));

  add("show", "Show the contents of a session or of a transcript of another tool. Reads only.")
    .argument("<file|id>", "a file, plain or gzip; a session's id or its beginning; - for standard input")
    .option("--entries", "also one line for each entry")
    .option(...project)
    .option(...json)
    .addHelpText("after", formatsHelp)
    .examples([
      ["palimpsest sessions show ses_01kc3v9x", "a session of this machine"],
      ["palimpsest sessions show ~/.claude/projects/shop/4f2a.jsonl", "a Claude Code transcript"],
      ["zcat talk.json.gz | palimpsest sessions show - --json", "standard input, for programs"],
    ])
    .action(async (named, options) => (await import("./commands.ts")).runShow(context(), named, options));

  add("export", "Write a session into one file that needs nothing else.")
    .argument("<id|file>", "a session's id or its beginning; or a file, ours or another tool's")
    .option("-o, --out <file>", "write to this file, gzip if it ends in .gz (default: standard output)")
    .addOption(
      new Option("--format <format>", "a complete log, or an array of Anthropic messages")
        .choices(["jsonl", "messages"])
        .default("jsonl"),
    )
    .option("--force", "replace the file if it is there")
    .option(...project)
    .addHelpText("after", exportHelp)
    .examples([
      ["palimpsest sessions export ses_01kc3v9x -o talk.jsonl.gz", "to keep or to hand on"],
      ["palimpsest sessions export ses_01kc3v9x --format messages | jq length", "how many messages"],
    ])
    .action(async (named, options) => (await import("./commands.ts")).runExport(context(), named, options));
}

function describeMending(add: AddCommand, context: Context): void {
  add("repair", "Remove damaged lines from a session's log; their bytes are kept beside it.")
    .argument("<id>", "the session's id or its beginning")
    .option(...dryRun)
    .option(...takeOver)
    .option(...project)
    .option(...json)
    .examples([
      ["palimpsest sessions repair ses_01kc3v9x --dry-run", "show the damage"],
      ["palimpsest sessions repair ses_01kc3v9x", "repair it"],
    ])
    .action(async (named, options) => (await import("./commands.ts")).runRepair(context(), named, options));

  add(
    "redact",
    "Remove a secret from a session: its log, stored results, notes and damaged parts kept aside.",
  )
    .usage("<id> [--secret-file FILE|-] [options]")
    .argument("<id>", "the session's id or its beginning")
    .option(
      "--secret-file <file>",
      "read the secret from this file, - for standard input (default: ask for it)",
    )
    .option("--replacement <text>", "replacement text", "[REDACTED]")
    .option(...dryRun)
    .option(...yes)
    .option(...takeOver)
    .option(...project)
    .option(...json)
    .addHelpText("after", redactHelp)
    .examples([
      ["palimpsest sessions redact ses_01kc3v9x", "asks for the secret, shows what it finds, asks again"],
      [
        "pass show key | palimpsest sessions redact ses_01kc3v9x --secret-file - --yes",
        "from a password manager, for scripts",
      ],
    ])
    .action(async (named, options) => (await import("./commands.ts")).runRedact(context(), named, options));
}

function describeRemoving(add: AddCommand, context: Context): void {
  add("delete", "Delete sessions with all their files.")
    .argument("<id...>", "ids or their beginnings")
    .option(...yes)
    .option(...dryRun)
    .option(...takeOver)
    .option(...project)
    .option(...json)
    .examples([
      ["palimpsest sessions delete ses_01kc3v9x", "lists the sessions, and asks"],
      ["palimpsest sessions delete ses_01kc3v9x ses_01kc41mq --yes", "for scripts"],
    ])
    .action(async (named, options) => (await import("./commands.ts")).runDelete(context(), named, options));

  add("prune", "Delete old sessions, or the oldest until the rest is small enough.")
    .option("--older-than <age>", "not written to for this long, such as 30d, 12h, 1y", parseDuration)
    .option("--max-size <size>", "then the oldest until all together take no more, such as 5GB", parseSize)
    .option("--all", "in all projects")
    .option(...project)
    .option(...dryRun)
    .option(...yes)
    .option(...json)
    .examples([
      ["palimpsest sessions prune --older-than 30d --dry-run", "list the sessions it would delete"],
      ["palimpsest sessions prune --all --older-than 90d --max-size 5GB --yes", "for a nightly job"],
    ])
    .action(async (options) => (await import("./commands.ts")).runPrune(context(), options));
}

const formatsHelp = `
Reads our own logs, Claude Code transcripts (JSONL), and Anthropic or OpenAI
messages as a JSON array, a request or JSONL. The format is told by the content.
In the JSON, skipped counts lines that can be read and are not in force; in our
own logs these are the lines of a writer that was fenced off.`;

const exportHelp = `
jsonl is our own log format with large values written out; put under
<data root>/projects/<project>/sessions/ it opens as a session. The entries of a
fork come behind those of its parent, up to where it was forked. messages holds
what was said, before any clearing or compaction.`;

const redactHelp = `
The secret is never taken from the command line, where other users could see it.
It is found in every string and key, also where JSON was quoted inside a text.
It is not found in base64 or other encodings, split over several lines or
values, or in thinking that a server encrypted. Thinking that holds it is
removed whole. Secrets need 8 characters or more. A database keeps replaced rows
until VACUUM, and backups keep all: see docs/guides/security.md.`;
