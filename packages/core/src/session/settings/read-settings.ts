import { fail, ok, type Result, type Settings } from "../../spec/index.ts";
import type { SettingWarning } from "../../view/setting-values.ts";
import { checkValue } from "./check-value.ts";
import { showValue } from "./explain-mismatch.ts";
import { parseSettingsJson } from "./parse-settings-json.ts";
import { settingsSchema } from "./settings-schema.ts";

interface ReadSettings {
  readonly settings: Settings;
  readonly warnings: readonly SettingsWarning[];
}

/** Where the text came from. */
export interface SettingsOrigin {
  /** As messages call it. */
  readonly file: string;
  /** As the disk knows it. */
  readonly path: string;
}

/** The settings in a file's bytes, or `invalid-input` with every problem, each with its place and its fix. */
export function readSettings(bytes: Uint8Array, origin: SettingsOrigin): Result<ReadSettings> {
  const text = decode(bytes);
  if (text === undefined) return refuse(origin, [{ problem: "is not UTF-8 text", fix: "save it as UTF-8" }]);
  const parsed = parseSettingsJson(text);
  if (parsed.ok) return checkSettings(parsed.value, origin);
  const { line, column, problem, fix } = parsed.error;
  return refuse(origin, [{ path: `line ${line}, column ${column}`, problem, fix }], { line, column });
}

/** Settings that are a value already: what a program gives as options. */
export function checkSettings(value: unknown, origin: SettingsOrigin): Result<ReadSettings> {
  const named = withNewNames(value);
  const { value: settings, problems, unknown } = checkValue(named.settings, settingsSchema);
  if (problems.length > 0) return refuse(origin, problems.map(underOldName(value as object, named.found)));
  const renamed = named.found.map((setting) => ({
    file: origin.file,
    setting,
    value: showValue((value as Readonly<Record<OldSettingName, unknown>>)[setting]),
    message: `${origin.file}: ${setting} is called ${renamedSettings[setting]} now; rename it`,
  }));
  const notUsed = unknown.map(({ value, ...found }) => ({
    file: origin.file,
    setting: found.path,
    value: value === undefined ? "(not shown)" : showValue(value),
    message: `${origin.file}: ${sentence(found)}`,
  }));
  return ok({ settings: settings as Settings, warnings: [...renamed, ...notUsed] });
}

/** A problem under the name that stands in the file. */
function underOldName(given: object, found: readonly OldSettingName[]): (problem: Problem) => Problem {
  return (problem) => {
    const old = found.find((name) => renamedSettings[name] === problem.path);
    if (Object.hasOwn(given, problem.path ?? "")) return problem;
    return old === undefined ? problem : { ...problem, path: `${old} (now ${problem.path})` };
  };
}

interface Problem {
  readonly path?: string;
  readonly problem: string;
  readonly fix: string;
}

function sentence({ path = "", problem, fix }: Problem): string {
  return `${path === "" ? "" : `${path}: `}${problem}; ${fix}`;
}

function refuse(
  { file, path }: SettingsOrigin,
  problems: readonly Problem[],
  facts: Readonly<Record<string, unknown>> = {},
): Result<never> {
  const message = `${file}: ${problems.map(sentence).join("; also ")}`;
  return fail("invalid-input", message, { path, fix: `Edit ${path}.`, facts: { ...facts, problems } });
}

function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Something in a settings file, or in the options, that has no effect. */
export interface SettingsWarning extends SettingWarning {
  /** The file as a person knows it, or `options`. */
  readonly file: string;
}

/** Settings that have another name now, by their old ones, which are still read. */
export const renamedSettings = {
  sessionMemoryEnabled: "sessionNotesEnabled",
  contextCollapseEnabled: "foldingEnabled",
} as const;

type OldSettingName = keyof typeof renamedSettings;

const oldNames = Object.keys(renamedSettings) as OldSettingName[];

/** The same settings by the names of today, and the old names that stood there. A new name counts before its old one. */
export function withNewNames<Value>(settings: Value): { settings: Value; found: readonly OldSettingName[] } {
  const isTable = typeof settings === "object" && settings !== null && !Array.isArray(settings);
  const found = isTable ? oldNames.filter((name) => Object.hasOwn(settings, name)) : [];
  if (found.length === 0) return { settings, found };
  const renamed: Record<string, unknown> = { ...(settings as Record<string, unknown>) };
  for (const name of found) {
    renamed[renamedSettings[name]] ??= renamed[name];
    delete renamed[name];
  }
  return { settings: renamed as Value, found };
}
