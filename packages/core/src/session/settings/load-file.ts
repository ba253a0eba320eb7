import { type Disk, ok, type Result, type Settings } from "../../spec/index.ts";
import type { SettingsPart } from "./merge-settings.ts";
import type { TextPositions } from "./parse-settings-json.ts";
import { readSettings, type SettingsWarning } from "./read-settings.ts";
import { readSettingsFile, type SettingsFile } from "./settings-files.ts";
import {
  type FileContent,
  findRestricted,
  isTrusted,
  onlyRestricted,
  type RestrictedSetting,
  toFileContent,
  withoutRestricted,
} from "./trust.ts";

/** The parts of a project's file that need a person's trust. */
export interface RestrictedParts {
  readonly file: string;
  readonly parts: readonly RestrictedSetting[];
  /** The parts' settings: to be shown before trust is asked for. */
  readonly settings: Settings;
  /** The input of `trust` once the person has said yes. */
  readonly content: FileContent;
  readonly isTrusted: boolean;
}

export interface LoadedFile extends SettingsPart {
  /** Where each setting stands in the file. */
  readonly places?: TextPositions;
  readonly warnings: readonly SettingsWarning[];
  /** Absent in the user's own files, which need no trust, and where nothing is restricted. */
  readonly restricted?: RestrictedParts;
}

/** The settings of one file; undefined where there is none. Restricted parts are left out until they are trusted. */
export async function loadFile(
  disk: Disk,
  home: string,
  file: SettingsFile,
): Promise<Result<LoadedFile | undefined>> {
  const bytes = await readSettingsFile(disk, file);
  if (!bytes.ok) return bytes;
  if (bytes.value === undefined) return ok(undefined);
  const read = await readSettings(bytes.value, file);
  if (!read.ok) return read;
  const part: LoadedFile = { source: file.file, ...read.value };
  return ok(file.isOwn ? part : await onlyTrusted(disk, home, part, file, bytes.value));
}

/** Leaves out what is neither harmless nor trusted, and says so. Where trust cannot be looked up there is none. */
async function onlyTrusted(
  disk: Disk,
  home: string,
  part: LoadedFile,
  { file, path }: SettingsFile,
  bytes: Uint8Array,
): Promise<LoadedFile> {
  const parts = findRestricted(part.settings);
  if (parts.length === 0) return part;
  const realPath = await disk.realPath(path);
  const content = toFileContent(realPath.ok ? realPath.value : path, bytes);
  const trusted = realPath.ok ? await isTrusted({ disk, home }, content) : realPath;
  const restricted = { file, parts, settings: onlyRestricted(part.settings), content };
  if (trusted.ok && trusted.value) return { ...part, restricted: { ...restricted, isTrusted: true } };
  const why = trusted.ok ? "" : ` Whether it is trusted could not be looked up: ${trusted.error.message}`;
  const message = `${file}: ${parts.join(", ")}: ignored until you trust this version of the file; read it, then run “palimpsest config trust”.${why}`;
  const warning = { file, setting: parts.join(", "), value: "(not shown)", message };
  return {
    ...part,
    settings: withoutRestricted(part.settings),
    warnings: [...part.warnings, warning],
    restricted: { ...restricted, isTrusted: false },
  };
}
