import type { FlagName, StoredFlags } from "../../spec/index.ts";
import type { SettingWarning } from "../../view/setting-values.ts";
import { checkFlag } from "./check-flag.ts";
import { flagNames } from "./flag-table.ts";

export interface CheckedFlags {
  readonly flags: Readonly<Record<string, unknown>>;
  /** Names that are no flag's are not refused: a newer program on the same store may know them. */
  readonly killed: readonly FlagName[];
  readonly warnings: readonly SettingWarning[];
}

/** What of a store's flags can be used here. */
export function checkStoredFlags({ address, values, killed }: StoredFlags): CheckedFlags {
  const answers = flagNames
    .filter((name) => Object.hasOwn(values, name))
    .map((name) => ({ name, answer: checkFlag(name, values[name]) }));
  return {
    flags: Object.fromEntries(
      answers.flatMap(({ name, answer }) => (answer.answer === "given" ? [[name, answer.value]] : [])),
    ),
    killed: flagNames.filter((name) => killed.includes(name)),
    warnings: answers.flatMap(({ name, answer }) => {
      if (answer.answer !== "failed") return [];
      const message = `The flag ${name} on ${address} is not used: ${answer.reason}.`;
      return [{ setting: `flag ${name} on ${address}`, value: JSON.stringify(values[name]), message }];
    }),
  };
}
