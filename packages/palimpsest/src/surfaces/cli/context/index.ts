import type { DescribeCommand } from "../command-table.ts";
import { setOption } from "../set-option.ts";

/** `palimpsest context`; its code is loaded when it runs. */
export const describeContext: DescribeCommand = (command, context) => {
  command
    .description(
      "Show the contents of the context at the end of a session or a transcript of another tool. Reads only.",
    )
    .usage("<file|id> [options]")
    .argument("<file|id>", "a file, plain or gzip; a session's id or its beginning; - for standard input")
    .option("--project <dir|slug>", "look in this project only: its folder, or its name under the data root")
    .option(...setOption)
    .option("--json", "print one JSON document instead of text")
    .examples([
      ["palimpsest context ses_01kc3v9x", "one of this project's sessions"],
      ["palimpsest context talk.jsonl.gz --json", "a transcript of another tool, for programs"],
    ])
    .action(async (named, options) =>
      (await import("./context-command.ts")).runContext(context(), named, options),
    );
};
