import type { DescribeCommand } from "../command-table.ts";

/** `palimpsest demo`; its code is loaded when it runs. */
export const describeDemo: DescribeCommand = (demo, context) => {
  demo
    .description(
      "Play the bundled session through the engine: how its context would grow, what the layers do about it, what that costs with and without, and how other policies compare. Needs no key and no network.",
    )
    .usage("[options]")
    .option("--fast", "do not play it: compare and report at once")
    .option("--json", "print one JSON document instead of text")
    .examples([
      ["palimpsest demo", "live on a terminal; any key goes to the end"],
      ["palimpsest demo --fast", "only what comes of it"],
      ["palimpsest demo --json", "for programs"],
    ])
    .action(async (options) => (await import("./demo-command.ts")).runDemo(context(), options));
};
