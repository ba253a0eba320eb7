import { isPlainObject } from "../../json/json-values.ts";
import type { Settings } from "../../spec/index.ts";
import { settingPath } from "./schema.ts";

/** Settings and who gave them. */
export interface SettingsPart {
  readonly source: string;
  readonly settings: Settings;
}

export interface MergedSettings {
  readonly settings: Settings;
  /** Who set what, by the setting's path. */
  readonly sources: Readonly<Record<string, string>>;
}

type Location = readonly (string | number)[];

/** Lists to which every part adds, since one who has a say must not silence another. */
function isCollected([first, ...rest]: Location): boolean {
  return (
    first === "additionalFolders" || ((first === "hooks" || first === "permissions") && rest.length === 1)
  );
}

/**
 * Key by key, objects inside objects too; the later part wins. A list is one value, but for hooks, permission rules and
 * additional folders: those of all parts are put together, earlier parts first.
 */
export function mergeSettings(parts: readonly SettingsPart[]): MergedSettings {
  const sources = new Map<string, { readonly location: Location; readonly source: string }>();
  let merged: unknown = {};

  function forget(location: Location): void {
    for (const [path, found] of sources) {
      if (location.every((part, depth) => found.location[depth] === part)) sources.delete(path);
    }
  }

  function set(location: Location, source: string): void {
    sources.set(settingPath(location), { location, source });
  }

  function collect(under: unknown, over: readonly unknown[], source: string, location: Location): unknown {
    const before: readonly unknown[] = Array.isArray(under) ? under : [];
    if (before.length === 0) forget(location);
    over.forEach((_, position) => {
      set([...location, before.length + position], source);
    });
    if (before.length + over.length === 0) set(location, source);
    return [...before, ...over];
  }

  function lay(under: unknown, over: unknown, source: string, location: Location): unknown {
    if (Array.isArray(over) && isCollected(location)) return collect(under, over, source, location);
    if (!isPlainObject(over)) {
      forget(location);
      set(location, source);
      return over;
    }
    const result = new Map<string, unknown>(isPlainObject(under) ? Object.entries(under) : []);
    if (!isPlainObject(under)) forget(location);
    for (const [name, value] of Object.entries(over)) {
      result.set(name, lay(result.get(name), value, source, [...location, name]));
    }
    return Object.fromEntries(result);
  }

  for (const { settings, source } of parts) merged = lay(merged, settings, source, []);
  const named = [...sources].map(([path, { source }]) => [path, source] as const);
  return { settings: merged as Settings, sources: Object.fromEntries(named) };
}

/** Instances of classes and functions, which options may hold, are values and not merged. */
