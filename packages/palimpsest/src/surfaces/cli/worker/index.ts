import { workKinds } from "@palimpsest/core/internal";
import type { WorkKind } from "@palimpsest/core/spec";
import { InvalidArgumentError } from "commander";
import type { DescribeCommand } from "../command-table.ts";
import { parseCount } from "../parse-amount.ts";

/** `palimpsest worker`; its code is loaded when it runs. */
export const describeWorker: DescribeCommand = (command, context) => {
  command
    .description(
      "Run background jobs: extract memories of sessions that have ended, and tidy up memories. Any number of workers, on any machines, share one Postgres store.",
    )
    .usage("[options]")
    .option("--jobs <n>", "number of jobs at once", parseCount, 1)
    .option("--kinds <list>", `only these: ${workKinds.join(", ")}`, parseKinds)
    .option("--once", "exit when no work is due")
    .option("--list", "list the work without doing it")
    .option("--stop <id>", "stop or remove work, by its id or key")
    .option("--json", "print one JSON document per line instead of text")
    .addHelpText("after", help)
    .examples([
      ["palimpsest worker", "work until Ctrl+C"],
      ["palimpsest worker --once --kinds dream", "for a nightly job"],
      ["palimpsest worker --list", "waiting, running and failed work"],
      ["palimpsest worker --stop shop/dream", "remove this work"],
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
