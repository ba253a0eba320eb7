import type { DescribeCommand } from "../command-table.ts";

/** `palimpsest doctor`; its code is loaded when it runs. */
export const describeDoctor: DescribeCommand = (command, context) => {
  command
    .description(
      "Check this machine, the data root, the store, its queue and the memories for problems. Changes nothing.",
    )
    .usage("[options]")
    .option("--json", "print one JSON document instead of text")
    .addHelpText("after", help)
    .examples([
      ["palimpsest doctor", "problems, and how to fix them"],
      ["palimpsest doctor --json", "for programs"],
    ])
    .action(async (options) => (await import("./doctor-command.ts")).runDoctor(context(), options));
};

const help = `
Exit codes: 0 nothing is wrong, 1 something is, 2 called wrongly.`;
