import { workKinds } from "@palimpsest/core/internal";
import type { WorkKind } from "@palimpsest/core/spec";
import { InvalidArgumentError } from "commander";
import type { DescribeCommand } from "../command-table.ts";
import { parseCount } from "../parse-amount.ts";

/** `palimpsest worker`; its code is loaded when it runs. */
export const describeWorker: DescribeCommand = (command, context) => {
  command
    .description(
      "Do the work that agents leave to others: extract memories of sessions that have ended, and put memory in order. Any number of workers, on any machines, share one Postgres store.",
    )
    .usage("[options]")
    .option("--jobs <n>", "how much to do at once", parseCount, 1)
    .option("--kinds <list>", `only these: ${workKinds.join(", ")}`, parseKinds)
    .option("--once", "end when nothing is left that may be done now")
    .option("--list", "show the work there is, and do none")
    .option("--stop <id>", "stop or remove work, by its id or key")
    .option("--json", "print one JSON document per line instead of text")
    .addHelpText("after", help)
    .examples([
      ["palimpsest worker", "work until Ctrl+C"],
      ["palimpsest worker --once --kinds dream", "for a nightly job"],
      ["palimpsest worker --list", "what waits, runs and has failed"],
      ["palimpsest worker --stop shop/dream", "nobody does it any more"],
    ])
    .action(async (options) => (await import("./worker-command.ts")).runWorker(context(), options));
};

function parseKinds(list: string): readonly WorkKind[] {
  const named = list.split(",").map((kind) => kind.trim());
  const known = workKinds.filter((kind) => named.includes(kind));
  if (known.length !== named.length)
    throw new InvalidArgumentError(`It must be some of ${workKinds.join(", ")}, with commas.`);
  return known;
}

const help = `
Ctrl+C ends it: what runs has a few seconds to be done, then it is put back.
What fails is tried again, up to 8 times, later each time.`;
