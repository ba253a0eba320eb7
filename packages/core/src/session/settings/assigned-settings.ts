import { parseJson } from "../../json/json-values.ts";
import { settingsIn } from "../../settings/setting.ts";
import { readSwitch } from "../../settings/setting-values.ts";
import { isScalar } from "../../settings/variables.ts";
import { fail, ok, type Result, type Settings } from "../../spec/index.ts";
import { flagNames, flagTable } from "../flags/flag-table.ts";
import { settingsShape } from "./all-settings.ts";
import { nested, readScalar } from "./environment-settings.ts";
import { explainJsonError, type JsonProblem } from "./explain-json-error.ts";
import { layFields } from "./merge-settings.ts";
import { checkSettings } from "./read-settings.ts";

/** Where messages say that such a setting stands. */
export const assignedSource = "--set";

/**
 * Settings as a command line gives them, `compaction.budgetPercent=50`; a name that is no setting's is refused too. One
 * that is written otherwise today is left as it is: whoever is given it reads it, and says so.
 */
export function readAssignedSettings(given: readonly string[]): Result<Settings> {
  let value: Settings = {};
  for (const assignment of given) {
    const [, name = "", text = ""] = /^([^=]+)=(.*)$/s.exec(assignment) ?? [];
    if (name === "")
      return fail("invalid-input", `${assignedSource} ${assignment}: expected NAME=VALUE`, {
        fix: "Write it like --set compaction.budgetPercent=50; “palimpsest config --all” lists the names.",
      });
    const path = name.trim().split(".");
    const broken = brokenJson(name.trim(), text);
    if (broken)
      return fail("invalid-input", `${assignedSource}: ${name.trim()}: is not JSON: ${broken.problem}`, {
        fix: `At character ${broken.column}: ${broken.fix}.`,
      });
    value = layFields(value, Object(nested(path, assignedValue(name.trim(), text))));
  }
  const checked = checkSettings(value, { file: assignedSource, path: assignedSource });
  if (!checked.ok) return checked;
  const unused = checked.value.warnings.find(({ isOld }) => !isOld);
  if (unused)
    return fail("invalid-input", unused.message, { fix: "“palimpsest config --all” lists the names." });
  return ok(value);
}

/** A text that the setting does not take is handed on as it is, for the check to say so. */
function assignedValue(name: string, text: string): unknown {
  const found = settingsIn(settingsShape).find((one) => one.name === name);
  const json = parseJson(text);
  if (found && isScalar(found.setting))
    return (
      readScalar(found.setting, text) ??
      (json === undefined ? undefined : readScalar(found.setting, json)) ??
      text
    );
  const flag = flagNames.find((one) => name === `flags.${one}`);
  if (flag !== undefined && typeof flagTable[flag].default === "boolean") return readSwitch(text) ?? text;
  return json ?? text;
}

/** An object or a list that was begun and is none: what is wrong with it, rather than that it is a text. */
function brokenJson(name: string, text: string): JsonProblem | undefined {
  const found = settingsIn(settingsShape).find((one) => one.name === name);
  const isText = found !== undefined && isScalar(found.setting);
  return !isText && /^\s*[[{]/.test(text) && parseJson(text) === undefined
    ? explainJsonError(text)
    : undefined;
}
