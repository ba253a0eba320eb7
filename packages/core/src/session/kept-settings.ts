import { type Catalog, createCatalog } from "../catalog/index.ts";
import type { SessionHeader, Settings } from "../spec/index.ts";
import type { SessionConfig } from "./session-config.ts";
import { checkSettings } from "./settings/index.ts";
import { mergeSettings } from "./settings/merge-settings.ts";

/** Settings that a program gave when it opened a session, and which hold when it is opened again. */
export interface KeptSettings {
  readonly settings: Settings;
  /** Why what the log has is not used, for a person. */
  readonly problem?: string;
}

/**
 * The part of a program's settings that is stored with a session. What may hold keys, runs something, allows something
 * or lets more be spent belongs to whoever opens it, as does how surely it is written, and what may be given up for money.
 */
export function toStored(given: Settings): Settings {
  const checked = checkSettings(given, { file: "options", path: "options" });
  if (!checked.ok) return {};
  const {
    hooks: _hooks,
    environment: _environment,
    mcp: _mcp,
    additionalFolders: _folders,
    agents: _agents,
    budget: _budget,
    maskOwnSecrets: _maskOwnSecrets,
    permissions: _permissions,
    durability: _durability,
    economy: _economy,
    ...stored
  } = checked.value.settings;
  return stored;
}

/** With the window that the environment says an unknown model has: the session holds it where nobody says it any more. */
export function withFoundWindow(
  settings: Settings,
  { windowSource, windowTokens }: Pick<SessionConfig, "windowSource" | "windowTokens">,
): Settings {
  if (windowSource !== "environment") return settings;
  return layerSettings(settings, { window: { defaultWindowTokens: windowTokens } });
}

/** The settings in the log; none where they cannot be used, so that a session opens whatever stands there. */
export function readKept(header: SessionHeader | undefined, isKept = true): KeptSettings {
  if (!isKept || header?.settings === undefined) return { settings: {} };
  const origin = { file: "the session's settings", path: header.id };
  const checked = checkSettings(header.settings, origin);
  return checked.ok
    ? { settings: toStored(header.settings) }
    : { settings: {}, problem: `They are not used: ${checked.error.message}` };
}

/** Settings laid over each other: of two that say the same thing the later one holds. */
export function layerSettings(...parts: readonly Settings[]): Settings {
  return mergeSettings(parts.map((settings) => ({ source: "", settings }))).settings;
}

/** The catalog as the settings of a log have it, while the log is read. */
export function createCatalogs(
  settingsWith: (header: SessionHeader | undefined) => Settings,
): (header: SessionHeader | undefined) => Catalog {
  let known: { readonly of: Settings | undefined; readonly catalog: Catalog } | null = null;
  return (header) => {
    if (!known || known.of !== header?.settings)
      known = { of: header?.settings, catalog: createCatalog(settingsWith(header).catalog) };
    return known.catalog;
  };
}
