import type { DescribeCommand } from "../command-table.ts";

/** `palimpsest replay`; its code is loaded when it runs. */
export const describeReplay: DescribeCommand = (command, context) => {
  command
    .description(
      "Replay recorded sessions under context policies: the cost, the cache breaks, and the facts kept and lost. Asks no model and changes nothing.",
    )
    .usage("[files...] [options]")
    .argument(
      "[files...]",
      "sessions and transcripts, plain or gzip, or ids of sessions; folders are searched",
    )
    .option("--discover", "add the sessions of this machine: own, Claude Code, Codex, pi")
    .option("--policies <names>", "built-in policies, separated by commas; default: all")
    .option("--policy <file>", "a module that exports `policy`; may be given more than once", collect, [])
    .option("--prices <rows>", "price of cached input relative to input (0.1), a model's name, or catalog")
    .option("--ttl <auto|5m|1h>", "lifetime of cached prompts; auto: as each request marks it", "auto")
    .option("--jobs <n>", "policies replayed at once; as many as there are cores when absent")
    .option("--json", "print one JSON document instead of text")
    .option("--markdown <file>", "write the report as Markdown")
    .option("--html <file>", "write the report as one HTML page")
    .examples([
      ["palimpsest replay ~/.claude/projects/*/*.jsonl --html replay.html", "your own sessions, as a page"],
      [
        "palimpsest replay --discover --policies faithful,thrifty",
        "everything on this machine, the two modes",
      ],
      ["palimpsest replay talk.jsonl --policy ./mine.js", "a policy of your own beside the others"],
    ])
    .action(async (files, options) =>
      (await import("./replay-command.ts")).runReplay(context(), files, options),
    );
};

function collect(value: string, before: readonly string[]): readonly string[] {
  return [...before, value];
}
