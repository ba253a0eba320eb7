import type { Settings } from "../../spec/index.ts";

/** What can run a command, send a key elsewhere or change the environment. */
export const restrictedSettings = ["hooks", "upstream", "environment", "mcp"] as const;

export type RestrictedSetting = (typeof restrictedSettings)[number];

export function findRestricted(settings: Settings): readonly RestrictedSetting[] {
  return restrictedSettings.filter((name) => settings[name] !== undefined);
}

export function onlyRestricted({ hooks, upstream, environment, mcp }: Settings): Settings {
  const found = Object.entries({ hooks, upstream, environment, mcp });
  return Object.fromEntries(found.filter(([, value]) => value !== undefined));
}

export function withoutRestricted(settings: Settings): Settings {
  const { hooks: _hooks, upstream: _upstream, environment: _environment, mcp: _mcp, ...harmless } = settings;
  return harmless;
}
