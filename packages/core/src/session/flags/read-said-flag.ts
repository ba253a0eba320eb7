import { parseJson } from "../../json/json-values.ts";
import { nearestName } from "../../settings/nearest-name.ts";
import { fail, ok, type Result, type StoredFlag } from "../../spec/index.ts";
import { checkFlag, flagNames, flagTable, isFlagName } from "./flag-table.ts";
import { isRetiredFlag, retiredFlagText } from "./retired-flags.ts";

const switches = new Map([
  ["on", true],
  ["off", false],
]);

/**
 * What a person says of a flag: `on`, `off`, `kill`, `default` (not set any more), or JSON. A flag that a mode has taken
 * the place of can only be removed.
 */
export function readSaidFlag(name: string, text: string): Result<StoredFlag> {
  const isRetired = isRetiredFlag(name);
  if (!isRetired && !isFlagName(name)) {
    const meant = nearestName(name, flagNames);
    const hint = meant === undefined ? "palimpsest config flags shows all" : `did you mean ${meant}?`;
    return fail("invalid-input", `there is no flag '${name}'; ${hint}`);
  }
  if (text === "default") return ok({ isKilled: false });
  if (isRetired) return fail("invalid-input", retiredFlagText(name, text === "on"));
  if (text === "kill") return ok({ isKilled: true });
  const isSwitch = typeof flagTable[name].default === "boolean";
  const answer = checkFlag(name, isSwitch ? switches.get(text) : parseJson(text));
  if (answer.answer === "given") return ok({ value: answer.value, isKilled: false });
  const form = isSwitch ? "on, off, kill or default" : `JSON such as '{"Bash": 30000}', kill or default`;
  return fail("invalid-input", `'${text}' is not a value for ${name}; use ${form}`);
}
