import type { DescribeCommand } from "../command-table.ts";

/** `palimpsest demo`; its code is loaded when it runs. */
export const describeDemo: DescribeCommand = (demo, context) => {
  demo
    .description("Show the bundled session: what an agent did, how its context grew, and what that cost.")
    .option("--json", "print one JSON document instead of text")
    .examples([
      ["palimpsest demo", "the story of the session"],
      ["palimpsest demo --json", "for programs"],
    ])
    .action(async (options) => (await import("./demo-command.ts")).runDemo(context(), options));
};
