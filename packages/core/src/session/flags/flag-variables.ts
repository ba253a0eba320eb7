import type { FlagName, FlagValues } from "../../spec/index.ts";
import {
  choose,
  type Environment,
  fromEnvironment,
  readSwitch,
  type SettingWarning,
} from "../../view/setting-values.ts";
import { nearestName } from "../settings/nearest-name.ts";
import { checkFlag } from "./check-flag.ts";
import { flagNames, flagTable, killSwitchesFlag } from "./flag-table.ts";

const prefix = "PALIMPSEST_FLAG_";

/** `clear-cold` → `PALIMPSEST_FLAG_CLEAR_COLD`. */
export function flagVariable(name: string): string {
  return `${prefix}${name.toUpperCase().replaceAll("-", "_")}`;
}

export interface FlagVariables {
  readonly flags: Partial<FlagValues>;
  /** The list of `PALIMPSEST_FLAG_KILL_SWITCHES`, as it is written. */
  readonly killSwitches?: string;
  /** Variables whose value cannot be used, or whose name is no flag's. */
  readonly warnings: readonly SettingWarning[];
}

/** What the environment says about flags. */
export function readFlagVariables(environment: Environment): FlagVariables {
  const read = flagNames.map((name) => ({ name, ...readVariable(name, environment) }));
  const killSwitches = environment[flagVariable(killSwitchesFlag)];
  return {
    flags: Object.fromEntries(
      read.filter(({ value }) => value !== undefined).map(({ name, value }) => [name, value]),
    ),
    ...(killSwitches === undefined ? {} : { killSwitches }),
    warnings: [...read.flatMap(({ warnings }) => warnings), ...strangers(environment)],
  };
}

function readVariable(name: FlagName, environment: Environment) {
  const candidates = fromEnvironment(environment, [flagVariable(name)]);
  return flagTable[name].type.kind === "switch"
    ? choose<unknown>(candidates, readSwitch, "one of 1, true, yes, on, 0, false, no, off")
    : choose<unknown>(candidates, (text) => readJson(name, text), 'JSON such as {"Bash": 30000}');
}

function readJson(name: FlagName, text: unknown): unknown {
  try {
    const checked = checkFlag(name, JSON.parse(String(text)));
    return checked.answer === "given" ? checked.value : undefined;
  } catch {
    return undefined;
  }
}

function strangers(environment: Environment): readonly SettingWarning[] {
  const known = [...flagNames, killSwitchesFlag].map(flagVariable);
  return Object.entries(environment)
    .filter(([name, value]) => name.startsWith(prefix) && value !== undefined && !known.includes(name))
    .map(([setting, value = ""]) => {
      const meant = nearestName(setting.slice(prefix.length), [...flagNames, killSwitchesFlag]);
      const fix =
        meant === undefined ? `known flags: ${flagNames.join(", ")}` : `did you mean ${flagVariable(meant)}?`;
      return { setting, value, message: `${setting} is no flag and has no effect; ${fix}` };
    });
}
