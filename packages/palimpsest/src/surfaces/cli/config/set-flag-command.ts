import { checkFlag, flagNames, flagTable, nearestName, parseJson } from "@palimpsest/core/internal";
import { type FlagName, fail, type StoredFlag } from "@palimpsest/core/spec";
import { createNodeDisk } from "@palimpsest/core/stores/files";
import { toJson } from "../escape-terminal.ts";
import { orThrow, UsageError } from "../or-throw.ts";
import type { CommandContext } from "../terminal.ts";
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
  name: string,
  value: string,
  options: SetFlagOptions,
): Promise<void> {
  const flag = toFlagName(name);
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

function toFlagName(name: string): FlagName {
  if ((flagNames as readonly string[]).includes(name)) return name as FlagName;
  const meant = nearestName(name, flagNames);
  const hint = meant === undefined ? "palimpsest config flags shows all" : `did you mean ${meant}?`;
  throw new UsageError(`there is no flag '${name}'; ${hint}`);
}

function toSaid(flag: FlagName, text: string): StoredFlag {
  if (text === "default") return { isKilled: false };
  if (text === "kill") return { isKilled: true };
  const isSwitch = typeof flagTable[flag].default === "boolean";
  const answer = checkFlag(flag, isSwitch ? switches.get(text) : parseJson(text));
  if (answer.answer === "given") return { value: answer.value, isKilled: false };
  const form = isSwitch ? "on, off, kill or default" : `JSON such as '{"Bash": 30000}', kill or default`;
  throw new UsageError(`'${text}' is not a value for ${flag}; use ${form}`);
}

const switches = new Map([
  ["on", true],
  ["off", false],
]);

function stateText({ value, isKilled }: StoredFlag): string {
  if (isKilled) return "killed";
  if (value === undefined) return "not set any more";
  if (typeof value === "boolean") return value ? "on" : "off";
  return JSON.stringify(value);
}
