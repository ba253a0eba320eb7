import type { Disk, Result } from "../../spec/index.ts";
import { type LoadedFile, loadFile } from "./load-file.ts";
import { type MergedSettings, mergeSettings } from "./merge-settings.ts";
import { type SettingsFile, settingsFiles } from "./settings-files.ts";
import type { SettingsWarning } from "./settings-warning.ts";

/** A place where settings are looked for, and what was found: undefined where there is no file. */
export interface SurveyedFile extends SettingsFile {
  readonly found: Result<LoadedFile | undefined>;
}

/** What the files say, for a person to look at. A session goes by `loadSettings`, which refuses at the first error. */
export interface SettingsSurvey extends MergedSettings {
  /** Weakest first. */
  readonly files: readonly SurveyedFile[];
  readonly warnings: readonly SettingsWarning[];
}

/** Looks at every place where settings may be, and merges the files that can be used. */
export async function surveySettings(disk: Disk, home: string, project: string): Promise<SettingsSurvey> {
  const files: SurveyedFile[] = [];
  for (const file of await settingsFiles(disk, home, project)) {
    files.push({ ...file, found: await loadFile(disk, home, file) });
  }
  const parts = files.flatMap(({ found }) => (found.ok && found.value) || []);
  return { files, ...mergeSettings(parts), warnings: parts.flatMap(({ warnings }) => warnings) };
}
