import { type Disk, ok, type Result, type Settings } from "../../spec/index.ts";
import { type LoadedFile, loadFile } from "./load-file.ts";
import { mergeSettings } from "./merge-settings.ts";
import { checkSettings } from "./read-settings.ts";
import type { RestrictedSetting } from "./restricted-settings.ts";
import { settingsFiles } from "./settings-files.ts";
import type { SettingsWarning } from "./settings-warning.ts";
import type { FileContent } from "./trust.ts";

export interface LoadSettingsOptions {
  readonly disk: Disk;
  /** The data root. */
  readonly home: string;
  /** The project's folder; without one only the user's own settings count. */
  readonly project?: string;
  /** What a program gave: stronger than every file. */
  readonly options?: Settings;
}

/** A project's file with parts that wait for a person's trust. */
export interface UntrustedFile {
  readonly file: string;
  readonly parts: readonly RestrictedSetting[];
  /** What `trust` takes once the person has said yes. */
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
