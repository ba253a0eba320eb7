import type { FlagName } from "../../spec/index.ts";
import type { SettingWarning } from "../../view/setting-values.ts";
import { nearestName } from "../settings/nearest-name.ts";
import { flagNames } from "./flag-table.ts";

export interface KillList {
  readonly killed: readonly FlagName[];
  /** Names that are no flag's: a kill switch that misses must be heard. */
  readonly warnings: readonly SettingWarning[];
}

/** Names separated by commas or blanks; `setting` is who gave them. */
export function readKillList(given: string | undefined, setting: string): KillList {
  const names = (given ?? "").split(/[\s,]+/).filter((name) => name !== "");
  return {
    killed: names.filter(isFlagName),
    warnings: names
      .filter((name) => !isFlagName(name))
      .map((name) => {
        const meant = nearestName(name, flagNames);
        const fix = meant === undefined ? `known flags: ${flagNames.join(", ")}` : `did you mean ${meant}?`;
        const message = `${setting}: there is no flag ${JSON.stringify(name)} to kill; ${fix}`;
        return { setting, value: name, message };
      }),
  };
}

function isFlagName(name: string): name is FlagName {
  return (flagNames as readonly string[]).includes(name);
}
