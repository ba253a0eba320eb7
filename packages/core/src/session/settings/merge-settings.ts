import { isPlainObject } from "../../json/json-values.ts";
import { settingPath } from "../../settings/setting.ts";
import type { Settings } from "../../spec/index.ts";

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
  let merged: Settings = {};

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
    if (!isPlainObject(under)) forget(location);
    return layFields(isPlainObject(under) ? under : {}, over, (name, before, value) =>
      lay(before, value, source, [...location, name]),
    );
  }

  for (const { settings, source } of parts)
    merged = layFields(merged, settings, (name, before, value) => lay(before, value, source, [name]));
  const named = [...sources].map(([path, { source }]) => [path, source] as const);
  return { settings: merged, sources: Object.fromEntries(named) };
}

/** An object with the fields of another laid over its own; `lay` makes one value of two. */
export function layFields<Fields extends object>(
  under: Fields,
  over: object,
  lay: (name: string, before: unknown, value: unknown) => unknown = layDeep,
): Fields {
  const result = { ...under };
  const before = new Map<string, unknown>(Object.entries(under));
  for (const [name, value] of Object.entries(over)) {
    const laid = lay(name, before.get(name), value);
    // A field of any name, `__proto__` too, becomes the result's own.
    Object.defineProperty(result, name, {
      value: laid,
      enumerable: true,
      writable: true,
      configurable: true,
    });
  }
  return result;
}

function layDeep(_name: string, before: unknown, value: unknown): unknown {
  return isPlainObject(before) && isPlainObject(value) ? layFields(before, value) : value;
}
