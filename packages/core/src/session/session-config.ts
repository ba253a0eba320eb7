import type { Provider } from "@openfeature/server-sdk";
import { type Catalog, createCatalog } from "../catalog/index.ts";
import type { Environment, SettingWarning } from "../settings/setting-values.ts";
import {
  type Assumption,
  type Capabilities,
  type Clock,
  type Disk,
  type Economy,
  type FlagValues,
  type ForkResult,
  ok,
  PalimpsestError,
  type Result,
  type Settings,
  type StoredFlags,
} from "../spec/index.ts";
import { flagsOfSwitches, readSwitches, type Switches } from "../view/switches.ts";
import { resolveWindow, type WindowSource } from "../view/window/window.ts";
import { computeThresholds, type WindowThresholds } from "../view/window/window-thresholds.ts";
import { assumptionsOf } from "./assumptions.ts";
import { checkKeepWarm } from "./cache/settings.ts";
import { type ResolvedFlags, resolveFlags } from "./flags/index.ts";
import { checkSettings, environmentParts, type LoadedSettings, loadSettings } from "./settings/index.ts";
import { mergeSettings } from "./settings/merge-settings.ts";

/** Everything that was set for a session, by whoever set it, resolved once when it opens. */
export interface SessionConfig {
  readonly settings: Settings;
  readonly flags: ResolvedFlags;
  readonly switches: Switches;
  readonly catalog: Catalog;
  readonly capabilities: Capabilities;
  /** How many tokens the model takes. */
  readonly windowTokens: number;
  readonly windowSource: WindowSource;
  /** Betas that every request needs for that. */
  readonly windowBetas: readonly string[];
  /** Why the window that the model's name asks for is not there. */
  readonly windowRefusal?: string;
  readonly thresholds: WindowThresholds;
  /** What is gone by of the model that no list gives. */
  readonly assumptions: readonly Assumption[];
  readonly warnings: readonly SettingWarning[];
}

export interface ConfigInput {
  readonly model: string;
  /** The program's options: stronger than the environment. */
  readonly options: Settings;
  readonly environment: Environment;
  /** Where settings files are looked for; absent for sessions that have no files. */
  readonly files?: { readonly disk: Disk; readonly home: string; readonly project: string };
  readonly provider?: Provider;
  readonly clock: Clock;
  /** Settings that were loaded already. */
  readonly loaded?: LoadedConfig;
  /** The mode, where the session has opened already: it has it until it closes. */
  readonly economy?: Economy;
  /** Flags that a resumed session began with. */
  readonly keptFlags?: Partial<FlagValues>;
  /** Flags that the store has for everybody on it. */
  readonly storedFlags?: StoredFlags;
  /** The beta headers that requests carry. */
  readonly betas?: readonly string[];
  /** The server's facts about the model; settings of the user are stronger. */
  readonly told?: Partial<Capabilities>;
}

/** Settings of files and options, before anybody asks for which model. */
export async function loadConfigSettings({
  files,
  environment,
  options,
}: Pick<ConfigInput, "files" | "environment" | "options">): Promise<Result<LoadedConfig>> {
  if (files) return loadSettings({ ...files, environment, options });
  const checked = checkSettings(options, { file: "options", path: "options" });
  if (!checked.ok) return checked;
  const variables = environmentParts(environment);
  if (!variables.ok) return variables;
  const parts = [...variables.value, { source: "options", ...checked.value }];
  return ok({ ...mergeSettings(parts), warnings: parts.flatMap(({ warnings }) => warnings) });
}

type LoadedConfig = Pick<LoadedSettings, "settings" | "warnings">;

/** Kill switch > option > environment > other flags > local > project > user settings > default. */
export async function resolveConfig(input: ConfigInput): Promise<Result<SessionConfig>> {
  const { model, options, environment, provider, clock, keptFlags, betas, told } = input;
  const loaded = input.loaded ? ok(input.loaded) : await loadConfigSettings(input);
  if (!loaded.ok) return loaded;
  const checked = checkKeepWarm(loaded.value.settings);
  if (!checked.ok) return checked;
  const stored = input.storedFlags;
  const given = await resolveFlags({
    provider,
    options,
    kept: keptFlags,
    stored,
    environment,
    settings: loaded.value.settings,
    clock,
  });
  const economy = input.economy ?? loaded.value.settings.economy ?? (given.thriftyBy && "thrifty");
  const settings: Settings = { ...loaded.value.settings, ...(economy && { economy }) };
  const switches = readSwitches({
    killSwitches: given.killSwitches,
    options,
    environment,
    flags: given.given,
    settings,
  });
  const flags = { ...given, values: { ...given.values, ...flagsOfSwitches(switches) } };
  const fitting = resolveModel({ model, options, environment, settings, switches, betas, told });
  const warnings = [loaded.value, flags, switches, fitting].flatMap((one) => one.warnings);
  return ok({ ...fitting, settings, flags, switches, warnings });
}

/** The configuration for a model, from all settings. */
export function resolveModel(input: {
  readonly model: string;
  readonly environment: Environment;
  readonly switches: Switches;
  readonly options?: Settings;
  readonly settings?: Settings;
  readonly betas?: readonly string[];
  readonly told?: Partial<Capabilities>;
}): Omit<SessionConfig, "settings" | "flags" | "switches"> {
  const { model, environment, switches, options = {}, settings = {}, betas, told } = input;
  const capabilities = { ...(told && { [model]: told }), ...settings.catalog?.capabilities };
  const catalog = createCatalog({ ...settings.catalog, capabilities });
  const found = catalog.capabilities(model);
  const numbers = settings.window;
  const window = resolveWindow({ model, capabilities: found, betas, environment, numbers });
  const thresholds = computeThresholds({
    window: window.tokens,
    maxOutput: found.value.maxOutput,
    autoEnabled: switches.autoCompact,
    options,
    environment,
    settings,
    numbers,
  });
  return {
    catalog,
    assumptions: assumptionsOf({ model, capabilities: found, window, prices: catalog.prices(model) }),
    capabilities: found.value,
    windowTokens: window.tokens,
    windowSource: window.source,
    windowBetas: window.betas ?? [],
    ...(window.refusal !== undefined && { windowRefusal: window.refusal }),
    thresholds,
    warnings: [...window.warnings, ...thresholds.warnings],
  };
}

/**
 * A model without a key cannot be asked: to layers that is no failure of a model but no model at all, and what they have
 * for that case is done. A key that a server was shown and refused stays what it is.
 */
export function missingKeyIsNoModel(error: PalimpsestError): PalimpsestError {
  const { code, message, fix, facts } = error;
  if (code !== "unauthenticated" || facts.status !== undefined) return error;
  return new PalimpsestError("no-model", message, { cause: error, facts, ...(fix !== undefined && { fix }) });
}

/** The same for a fork, which may have begun before it found nobody to ask. */
export function forkWithoutKeyIsNoModel(forked: Result<ForkResult>): Result<ForkResult> {
  if (!forked.ok) return { ok: false, error: missingKeyIsNoModel(forked.error) };
  const { end } = forked.value;
  return end.error ? ok({ ...forked.value, end: { ...end, error: missingKeyIsNoModel(end.error) } }) : forked;
}
