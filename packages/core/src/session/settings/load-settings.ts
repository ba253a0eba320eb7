import type { Environment, SettingWarning } from "../../settings/setting-values.ts";
import { type Disk, fail, ok, type Result, type Settings } from "../../spec/index.ts";
import { assignedSource } from "./assigned-settings.ts";
import { readEnvironmentSettings, readRetiredVariables } from "./environment-settings.ts";
import { type LoadedFile, loadFile } from "./load-file.ts";
import { type MergedSettings, mergeSettings } from "./merge-settings.ts";
import { checkSettings, type SettingsWarning } from "./read-settings.ts";
import { type SettingsFile, settingsFiles } from "./settings-files.ts";
import type { FileContent, RestrictedSetting } from "./trust.ts";

export interface LoadSettingsOptions {
  readonly disk: Disk;
  /** The data root. */
  readonly home: string;
  /** The project's folder; without one only the user's own settings count. */
  readonly project?: string;
  /** Stronger than every file. */
  readonly environment?: Environment;
  /** The program's options: stronger than files and environment. */
  readonly options?: Settings;
}

/** A project's file with parts that wait for a person's trust. */
export interface UntrustedFile {
  readonly file: string;
  readonly parts: readonly RestrictedSetting[];
  /** The input of `trust` once the person has said yes. */
  readonly content: FileContent;
}

export interface LoadedSettings {
  /**
   * The files and, on top, variables and options. Where a flag has a say too, pass options and environment on by
   * themselves as well: they are stronger.
   */
  readonly settings: Settings;
  /** Which file or variable set what, or `options`, by the setting's path. */
  readonly sources: Readonly<Record<string, string>>;
  readonly warnings: readonly SettingsWarning[];
  readonly untrusted: readonly UntrustedFile[];
}

/** Reads the user's, the project's and the local file; later ones win, key by key. */
export async function loadSettings(question: LoadSettingsOptions): Promise<Result<LoadedSettings>> {
  const { disk, home, project, environment = {}, options } = question;
  const parts: LoadedFile[] = [];
  for (const file of await settingsFiles(disk, home, project)) {
    const loaded = await loadFile(disk, home, file);
    if (!loaded.ok) return loaded;
    if (loaded.value !== undefined) parts.push(loaded.value);
  }
  const variables = environmentParts(environment);
  if (!variables.ok) return variables;
  parts.push(...variables.value);
  if (options !== undefined) {
    const checked = checkSettings(options, { file: "options", path: "options" });
    if (!checked.ok) return checked;
    parts.push({ source: "options", ...checked.value });
  }
  return ok({
    ...mergeSettings(parts),
    warnings: parts.flatMap(({ warnings }) => warnings),
    untrusted: parts.flatMap(untrustedOf),
  });
}

/**
 * The settings in the environment, each variable a part of its own; the warnings are with the first. `invalid-input` where a
 * limit or a rule cannot be read.
 */
export function environmentParts(environment: Environment): Result<readonly LoadedFile[]> {
  const { parts, problems } = surveyEnvironment(environment);
  const [first] = problems;
  if (first === undefined) return ok(parts);
  const names = problems.map(({ setting }) => setting).join(", ");
  return fail("invalid-input", problems.map(({ message }) => message).join("\n"), {
    path: first.setting,
    fix: `Correct ${names}: a limit or a rule that cannot be read would be none.`,
  });
}

function surveyEnvironment(environment: Environment) {
  const { parts, warnings, problems } = readEnvironmentSettings(environment);
  const isModeSet = parts.some(({ settings }) => settings.economy !== undefined);
  const retired = readRetiredVariables(environment, isModeSet);
  const told = [...retired.warnings, ...warnings].map((warning) => ({ file: "environment", ...warning }));
  const loaded: readonly LoadedFile[] = [
    { source: "environment", settings: {}, warnings: told },
    ...[...retired.parts, ...parts].map((part) => ({ ...part, warnings: [] })),
  ];
  return { parts: loaded, problems };
}

/** What was checked when it was read; with warnings for what is written otherwise today. */
function assignedPart(options: Settings): LoadedFile {
  const checked = checkSettings(options, { file: assignedSource, path: assignedSource });
  return { source: assignedSource, ...(checked.ok ? checked.value : { settings: options, warnings: [] }) };
}

function untrustedOf({ restricted }: LoadedFile): readonly UntrustedFile[] {
  if (restricted === undefined || restricted.isTrusted) return [];
  const { file, parts, content } = restricted;
  return [{ file, parts, content }];
}

/** A place where settings are looked for, and what was found: undefined where there is no file. */
export interface SurveyedFile extends SettingsFile {
  readonly found: Result<LoadedFile | undefined>;
}

/** What the files say, for a person to look at. A session goes by `loadSettings`, which refuses at the first error. */
export interface SettingsSurvey extends MergedSettings {
  /** Weakest first. */
  readonly files: readonly SurveyedFile[];
  readonly warnings: readonly SettingsWarning[];
  /** Variables of limits and rules that cannot be read: no session opens. */
  readonly problems: readonly SettingWarning[];
}

/** Looks at every place where settings may be, and merges the files that can be used. */
export async function surveySettings(
  disk: Disk,
  home: string,
  project: string,
  { environment = {}, options }: Pick<LoadSettingsOptions, "environment" | "options"> = {},
): Promise<SettingsSurvey> {
  const files: SurveyedFile[] = [];
  for (const file of await settingsFiles(disk, home, project)) {
    files.push({ ...file, found: await loadFile(disk, home, file) });
  }
  const variables = surveyEnvironment(environment);
  const parts: readonly LoadedFile[] = [
    ...files.flatMap(({ found }) => (found.ok && found.value) || []),
    ...variables.parts,
    ...(options ? [assignedPart(options)] : []),
  ];
  const warnings = parts.flatMap((part) => part.warnings);
  return { files, ...mergeSettings(parts), warnings, problems: variables.problems };
}
