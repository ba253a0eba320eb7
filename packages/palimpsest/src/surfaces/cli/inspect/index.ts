import { InvalidArgumentError } from "commander";
import type { DescribeCommand } from "../command-table.ts";

const maxPort = 65_535;

/** `palimpsest inspect`; its code is loaded when it runs. */
export const describeInspect: DescribeCommand = (command, context) => {
  command
    .description(
      "Inspect sessions in a browser: the contents of the context, the tokens and cost of each request, cleared, folded and summarised parts, and other policies for comparison. Serves to this machine only, and changes nothing.",
    )
    .usage("[session|file|folder] [options]")
    .argument(
      "[session|file|folder]",
      "a session's id or its beginning; a transcript of another tool; a folder of them; this project's sessions when absent",
    )
    .option("--port <number>", "where to listen; a free port when absent", parsePort, 0)
    .option("--out <file>", "write one session as one HTML file that loads nothing, and end")
    .option("--what-if <policies>", "with --out: the session under these policies too")
    .option("--open", "open the page in the browser")
    .option("--json", "print one JSON document instead of text")
    .examples([
      ["palimpsest inspect", "this project's sessions; those that run are followed"],
      ["palimpsest inspect ~/.claude/projects/-home-me-app --open", "transcripts of another tool"],
      ["palimpsest inspect ses_01kc3v9x --out report.html --what-if faithful", "one file to keep or to send"],
    ])
    .action(async (named, options) =>
      (await import("./inspect-command.ts")).runInspect(context(), named, options),
    );
};

function parsePort(text: string): number {
  const port = /^\d+$/.test(text.trim()) ? Number(text) : -1;
  if (port < 0 || port > maxPort)
    throw new InvalidArgumentError(`It must be a whole number from 0 to ${maxPort}.`);
  return port;
}
