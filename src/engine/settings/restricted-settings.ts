import type { Settings } from "../../spec/index.ts";

/** What can run a command, send a key elsewhere, change the environment or let the agent do or spend more unasked. */
export const restrictedSettings = [
  "hooks",
  "upstream",
  "environment",
  "mcp",
  "permissions.allow",
  "additionalFolders",
  "agents",
  "budget",
] as const;

export type RestrictedSetting = (typeof restrictedSettings)[number];

/** Of the restricted ones those that may hold keys and are kept back when settings are shown. */
export const hiddenSettings: readonly RestrictedSetting[] = ["hooks", "upstream", "environment", "mcp"];

export function findRestricted(settings: Settings): readonly RestrictedSetting[] {
  return restrictedSettings.filter((name) => restrictedValue(settings, name) !== undefined);
}

export function restrictedValue(settings: Settings, name: RestrictedSetting): unknown {
  return name === "permissions.allow" ? settings.permissions?.allow : settings[name];
}

export function onlyRestricted(settings: Settings): Settings {
  const { hooks, upstream, environment, mcp, additionalFolders, agents, budget } = settings;
  const allow = settings.permissions?.allow;
  const permissions = allow === undefined ? undefined : { allow };
  return present({ hooks, upstream, environment, mcp, permissions, additionalFolders, agents, budget });
}

/** A project's rules that ask and deny count without trust: they only take away. */
export function withoutRestricted(settings: Settings): Settings {
  const {
    hooks: _hooks,
    upstream: _upstream,
    environment: _environment,
    mcp: _mcp,
    additionalFolders: _folders,
    agents: _agents,
    budget: _budget,
    permissions,
    ...harmless
  } = settings;
  const { allow: _allow, ...limits } = permissions ?? {};
  return { ...harmless, ...(Object.keys(limits).length > 0 && { permissions: limits }) };
}

function present(settings: Settings): Settings {
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined));
}
