import { type Disk, ok, type Result, type Settings } from "../../spec/index.ts";
import { mergeSettings, type SettingsPart } from "./merge-settings.ts";
import { checkSettings, readSettings } from "./read-settings.ts";
import { findRestricted, type RestrictedSetting, withoutRestricted } from "./restricted-settings.ts";
import { readSettingsFile, type SettingsFile, settingsFiles } from "./settings-files.ts";
import type { SettingsWarning } from "./settings-warning.ts";
import { type FileContent, isTrusted, toFileContent } from "./trust.ts";

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

interface Loaded extends SettingsPart {
  readonly warnings: readonly SettingsWarning[];
  readonly untrusted?: UntrustedFile;
}

/** Reads the user's, the project's and the local file; later ones win, key by key. */
export async function loadSettings(question: LoadSettingsOptions): Promise<Result<LoadedSettings>> {
  const { disk, home, project, options } = question;
  const parts: Loaded[] = [];
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
    untrusted: parts.flatMap(({ untrusted }) => untrusted ?? []),
  });
}

async function loadFile(disk: Disk, home: string, file: SettingsFile): Promise<Result<Loaded | undefined>> {
  const bytes = await readSettingsFile(disk, file);
  if (!bytes.ok) return bytes;
  if (bytes.value === undefined) return ok(undefined);
  const read = readSettings(bytes.value, file);
  if (!read.ok) return read;
  const part: Loaded = { source: file.file, ...read.value };
  return ok(file.isOwn ? part : await onlyTrusted(disk, home, part, file, bytes.value));
}

/** What is neither harmless nor trusted is left out, and said. Where trust cannot be looked up there is none. */
async function onlyTrusted(
  disk: Disk,
  home: string,
  part: Loaded,
  { file, path }: SettingsFile,
  bytes: Uint8Array,
): Promise<Loaded> {
  const parts = findRestricted(part.settings);
  if (parts.length === 0) return part;
  const realPath = await disk.realPath(path);
  const content = toFileContent(realPath.ok ? realPath.value : path, bytes);
  const trusted = realPath.ok ? await isTrusted({ disk, home }, content) : realPath;
  if (trusted.ok && trusted.value) return part;
  const why = trusted.ok ? "" : ` Whether it is trusted could not be looked up: ${trusted.error.message}`;
  const message = `${file}: ${parts.join(", ")}: ignored until you trust this version of the file; read it, then run “palimpsest config trust”.${why}`;
  const warning = { file, setting: parts.join(", "), value: "(not shown)", message };
  return {
    source: part.source,
    settings: withoutRestricted(part.settings),
    warnings: [...part.warnings, warning],
    untrusted: { file, parts, content },
  };
}
