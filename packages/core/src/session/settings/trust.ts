import { settingsIn } from "../../settings/setting.ts";
import type { Disk, Result, Settings } from "../../spec/index.ts";
import { settingsShape } from "./all-settings.ts";
import {
  type ContentRecords,
  createContentRecords,
  type FileContent,
  type RecordWriter,
} from "./content-records.ts";

export { type FileContent, toFileContent } from "./content-records.ts";

export interface TrustLocation {
  readonly disk: Disk;
  /** The data root. */
  readonly home: string;
}

/** Whether somebody trusted exactly this content at this path. */
export async function isTrusted(location: TrustLocation, content: FileContent): Promise<Result<boolean>> {
  return trustRecords(location).has(content);
}

/** Remembers that a person trusts this content; safe to call twice. Power loss may take it: the person is then asked again. */
export async function trust(
  location: TrustLocation & RecordWriter,
  content: FileContent,
): Promise<Result<void>> {
  return trustRecords(location).add(content, location);
}

/**
 * Forgets every version of these files, and of files in these folders, that was ever trusted, and gives how many records went; one that does not say
 * whose it is goes too. Power loss does not bring them back.
 */
export async function revokeTrust(
  location: TrustLocation,
  paths: readonly string[],
): Promise<Result<number>> {
  return trustRecords(location).removeAll(paths);
}

function trustRecords({ disk, home }: TrustLocation): ContentRecords {
  return createContentRecords(disk, `${home}/trust`);
}

/** Settings of a project's file that need trust: all but rules that ask or deny. */
export type RestrictedSetting = Exclude<keyof Settings, "permissions"> | "permissions.allow";

/** Those that may hold keys and are kept back when settings are shown. */
export const hiddenSettings: readonly string[] = settingsIn(settingsShape)
  .filter(({ setting }) => setting.isHidden)
  .map(({ name }) => name);

/**
 * Settings of a file that could spend, protect, route, run or allow something. That is all of it but rules that ask and
 * deny: they only take away. A setting that comes later is restricted until somebody says otherwise.
 */
export function findRestricted(settings: Settings): readonly RestrictedSetting[] {
  const { permissions, ...others } = settings;
  const named = Object.entries(others).flatMap(([name, value]) =>
    value === undefined ? [] : [name as RestrictedSetting],
  );
  return permissions?.allow === undefined ? named : [...named, "permissions.allow"];
}

export function restrictedValue(settings: Settings, name: RestrictedSetting): unknown {
  return name === "permissions.allow" ? settings.permissions?.allow : settings[name];
}

export function onlyRestricted({ permissions, ...others }: Settings): Settings {
  return permissions?.allow === undefined ? others : { ...others, permissions: { allow: permissions.allow } };
}

export function withoutRestricted({ permissions }: Settings): Settings {
  const { allow: _allow, ...limits } = permissions ?? {};
  return Object.keys(limits).length > 0 ? { permissions: limits } : {};
}
