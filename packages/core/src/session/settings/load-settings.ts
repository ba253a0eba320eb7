import { type Disk, ok, type Result, type Settings } from "../../spec/index.ts";
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
  /** The program's options: stronger than every file. */
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
   * The files and, on top, the options. Where a variable or a flag has a say too, pass the options on by themselves
   * as well: they are stronger than both.
   */
  readonly settings: Settings;
  /** Which file set what, or `options`, by the setting's path. */
  readonly sources: Readonly<Record<string, string>>;
  readonly warnings: readonly SettingsWarning[];
  readonly untrusted: readonly UntrustedFile[];
}

/** Reads the user's, the project's and the local file; later ones win, key by key. */
export async function loadSettings(question: LoadSettingsOptions): Promise<Result<LoadedSettings>> {
  const { disk, home, project, options } = question;
  const parts: LoadedFile[] = [];
  for (const file of await settingsFiles(disk, home, project)) {
    const loaded = await loadFile(disk, home, file);
    if (!loaded.ok) return loaded;
    if (loaded.value !== undefined) parts.push(loaded.value);
  }
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
