import type { DescribeCommand } from "../command-table.ts";

/** `palimpsest doctor`; its code is loaded when it runs. */
export const describeDoctor: DescribeCommand = (command, context) => {
  command
    .description(
      "Look whether everything is as it should be: this machine, the data root, the store, its queue and the memories. Changes nothing.",
    )
    .usage("[options]")
    .option("--json", "print one JSON document instead of text")
    .addHelpText("after", help)
    .examples([
      ["palimpsest doctor", "what is wrong, and what to do about it"],
      ["palimpsest doctor --json", "for programs"],
    ])
    .action(async (options) => (await import("./doctor-command.ts")).runDoctor(context(), options));
};

const help = `
Exit codes: 0 nothing is wrong, 1 something is, 2 called wrongly.`;
