import { readSaidFlag } from "@palimpsest/core/internal";
import { fail, type StoredFlag } from "@palimpsest/core/spec";
import { createNodeDisk } from "@palimpsest/core/stores/files";
import { orThrow, UsageError } from "../../local/or-throw.ts";
import type { CommandContext } from "../../local/terminal.ts";
import { toJson } from "../../terminal/escape-terminal.ts";
import { projectFolder } from "./read-configuration.ts";
import { openStoreFlags } from "./store-flags.ts";

export interface SetFlagOptions {
  readonly everywhere?: boolean;
  readonly cwd?: string;
  readonly json?: boolean;
}

/** Sets a flag for everybody on the store. Sessions that are open keep what they began with. */
export async function runSetFlag(
  context: CommandContext,
  flag: string,
  value: string,
  options: SetFlagOptions,
): Promise<void> {
  const said = toSaid(flag, value);
  const disk = createNodeDisk();
  const project = await projectFolder(disk, context.folder, options.cwd);
  const flags = await openStoreFlags(context, disk, project);
  if (!flags)
    throw fail("invalid-input", "Flags for everybody are kept on Postgres only; this store is files.", {
      fix: `Name a database by --store or DATABASE_URL, or put it into a settings file: "flags": { "${flag}": … }.`,
    }).error;
  const reach = options.everywhere ? "everywhere" : "project";
  orThrow(await flags.set(flag, said, reach));
  const { address } = orThrow(await flags.read());
  if (options.json) return context.terminal.write(toJson({ flag, ...said, reach, store: address }));
  const where = reach === "everywhere" ? "every project" : "this project";
  await context.terminal.write(
    `${flag} is ${stateText(said)} for ${where} on ${address}, from the next session on.\n`,
  );
}

/** What is wrong with it is wrong usage. */
function toSaid(name: string, text: string): StoredFlag {
  const said = readSaidFlag(name, text);
  if (!said.ok) throw new UsageError(said.error.message);
  return said.value;
}

function stateText({ value, isKilled }: StoredFlag): string {
  if (isKilled) return "killed";
  if (value === undefined) return "not set any more";
  if (typeof value === "boolean") return value ? "on" : "off";
  return JSON.stringify(value);
}
