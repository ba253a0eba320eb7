import type { DescribeCommand } from "../command-table.ts";

/** `palimpsest migrate-store`; its code is loaded when it runs. */
export const describeMigrateStore: DescribeCommand = (command, context) => {
  command
    .description(
      "Copy projects from one store to another, byte for byte. The source is not changed. Run it again to continue after an interruption and to copy new data; sessions that are open somewhere are skipped and listed.",
    )
    .usage("--from <store> --to <store> [options]")
    .requiredOption("--from <store>", "files, or postgres://user@host/database")
    .requiredOption("--to <store>", "files, or postgres://user@host/database")
    .option(
      "--project <dir|slug>",
      "this project: its folder, or its name in the source (default: this folder's)",
    )
    .option("--all", "every project of the source")
    .option("--json", "print one JSON document instead of text")
    .examples([
      ['palimpsest migrate-store --from files --to "$DATABASE_URL" --all', "everything into a database"],
      ['palimpsest migrate-store --from "$DATABASE_URL" --to files', "this project back into files"],
    ])
    .action(async (options) =>
      (await import("./migrate-store-command.ts")).runMigrateStore(context(), options),
    );
};
