import { formOf } from "./schema-form.ts";
import type { PlacedSetting, Setting, Shape } from "./setting.ts";
import { settingsIn } from "./setting.ts";

/** `compaction.budgetPercent` → `PALIMPSEST_COMPACTION_BUDGET_PERCENT`. */
export function variableOf(name: string): string {
  const words = name.replaceAll(/([a-z0-9])([A-Z])/g, "$1_$2").replaceAll(".", "_");
  return `${variablePrefix}${words.toUpperCase()}`;
}

export const variablePrefix = "PALIMPSEST_";

/** The variables that give a setting its value, strongest first; none for lists and objects. */
export function variablesOf(name: string, setting: Setting<unknown>): readonly string[] {
  return isScalar(setting) ? [...new Set([...(setting.variables ?? []), variableOf(name)])] : [];
}

/** Whether a value can stand in a variable: a number, a text, a word, on or off. */
export function isScalar({ schema }: Setting<unknown>): boolean {
  return !["fields", "table", "list", "nullable"].includes(formOf(schema).kind);
}

/** Every variable that some setting of the shape is read from. */
export function allVariables(shape: Shape): readonly string[] {
  return settingsIn(shape).flatMap(({ name, setting }: PlacedSetting) => [
    ...(setting.disabledBy === undefined ? [] : [setting.disabledBy]),
    ...variablesOf(name, setting),
  ]);
}
