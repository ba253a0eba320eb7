import type { Settings } from "../../spec/index.ts";

/** What of a project's file waits for trust: every setting but rules that ask or deny. */
export type RestrictedSetting = Exclude<keyof Settings, "permissions"> | "permissions.allow";

/** Those that may hold keys and are kept back when settings are shown. */
export const hiddenSettings: readonly RestrictedSetting[] = ["hooks", "environment", "mcp"];

/**
 * What a file says that could spend, protect, route, run or allow something. That is all of it but rules that ask and
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
