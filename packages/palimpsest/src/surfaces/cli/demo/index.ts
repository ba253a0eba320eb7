import type { DescribeCommand } from "../command-table.ts";

/** `palimpsest demo`; its code is loaded when it runs. */
export const describeDemo: DescribeCommand = (demo, context) => {
  demo
    .description(
      "Play the bundled session through the engine: the growth of its context, the actions of the layers, the cost with and without them, and a comparison of policies. Needs no key and no network.",
    )
    .usage("[options]")
    .option("--fast", "skip the animation: compare and report at once")
    .option("--json", "print one JSON document instead of text")
    .examples([
      ["palimpsest demo", "live on a terminal; any key goes to the end"],
      ["palimpsest demo --fast", "only the result"],
      ["palimpsest demo --json", "for programs"],
    ])
    .action(async (options) => (await import("./demo-command.ts")).runDemo(context(), options));
};
