import {
  type ChosenThresholds,
  flagNames,
  hiddenSettings,
  type Shape,
  settingsIn,
  settingsShape,
} from "@palimpsest/core/internal";
import type { SwitchName } from "@palimpsest/core/spec";
import type { Configuration } from "./read-configuration.ts";
import { fromSources, toSource, type ValueSource } from "./value-source.ts";

/** One setting as it is in force. */
export interface SettingRow {
  readonly setting: string;
  /** `null` where nothing is set and there is no default. */
  readonly value: unknown;
  /** Set, and kept back: it may hold keys. */
  readonly isHidden: boolean;
  readonly source: ValueSource;
}

/** Every setting of a shape, with its value and who set it. */
export function settingRows(
  configuration: Configuration,
  shape: Shape = settingsShape,
): readonly SettingRow[] {
  return settingsIn(shape).map((placed) => {
    const { value, source } =
      findDecided(placed.name, configuration) ??
      findTurnedOff(placed, configuration) ??
      fromSettings(placed, configuration);
    const isHidden = hiddenSettings.includes(placed.name) && source.kind !== "default";
    return { setting: placed.name, value: isHidden ? null : value, isHidden, source };
  });
}

/** Every setting as it is written: `durability`, `window.autoBufferTokens`. */
export function settingNames(): readonly string[] {
  return settingsIn(settingsShape).map(({ name }) => name);
}

type PlacedSetting = ReturnType<typeof settingsIn>[number];
type DecidedSetting = Pick<SettingRow, "value" | "source">;

/** Where more than files and variables have a say, the engine has decided. */
function findDecided(setting: string, configuration: Configuration): DecidedSetting | undefined {
  const { switches, thresholds, window, survey, flags } = configuration;
  const by = (said = "default") => toSource(said, survey, flags);
  const switchName = setting.replace(/Enabled$/, "");
  if (isSwitchName(switchName, switches.sources))
    return { value: switches[switchName], source: by(switches.sources[switchName]) };
  if (isThreshold(setting, thresholds)) {
    const chosen = thresholds[setting];
    return { value: chosen.value ?? null, source: by(chosen.setting) };
  }
  if (setting === "economy" && survey.settings.economy === undefined && flags.thriftyBy !== undefined)
    return { value: "thrifty", source: by(flags.thriftyBy) };
  if (setting === "window.defaultWindowTokens" && window.variable !== undefined)
    return { value: window.tokens, source: { kind: "environment", variable: window.variable } };
  return undefined;
}

/** A setting whose flag is off is off, whoever set the flag. */
function findTurnedOff(
  { setting }: PlacedSetting,
  { flags, survey }: Configuration,
): DecidedSetting | undefined {
  const flag = flagNames.find((name) => name === setting.flag);
  if (flag === undefined || flags.values[flag] !== false || flags.sources[flag] === "default")
    return undefined;
  return { value: false, source: toSource(`flag ${flag}`, survey, flags) };
}

/** The flags that somebody has set, as rows beside those of settings. */
export function flagRows({ flags, survey }: Configuration): readonly SettingRow[] {
  return flagNames
    .filter((name) => flags.sources[name] !== "default")
    .map((name) => ({
      setting: `flags.${name}`,
      value: flags.values[name],
      isHidden: false,
      source: toSource(flags.sources[name], survey, flags),
    }));
}

function isSwitchName(name: string, sources: Readonly<Record<SwitchName, string>>): name is SwitchName {
  return Object.hasOwn(sources, name);
}

function isThreshold(name: string, thresholds: ChosenThresholds): name is keyof ChosenThresholds {
  return Object.hasOwn(thresholds, name);
}

function fromSettings({ name, path, setting }: PlacedSetting, { survey }: Configuration): DecidedSetting {
  const value = valueAt(survey.settings, path) ?? setting.default ?? null;
  return { value, source: fromSources(name, survey) };
}

function valueAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((part, name) => new Map(Object.entries(part ?? {})).get(name), value);
}
