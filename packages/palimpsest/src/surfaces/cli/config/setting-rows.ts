import {
  agentNumbers,
  type ChosenThresholds,
  compactionNumbers,
  defaultDurability,
  defaultNativeCompaction,
  dreamNumbers,
  foldingNumbers,
  hiddenSettings,
  microcompactNumbers,
  notesNumbers,
  type SwitchName,
  settingPath,
  toolResultNumbers,
  windowNumbers,
  windowVariable,
} from "@palimpsest/core/internal";
import type { Configuration } from "./read-configuration.ts";
import { settingPlaces } from "./setting-names.ts";
import { fromFiles, toSource, type ValueSource } from "./value-source.ts";

/** One setting as it is in force. */
export interface SettingRow {
  readonly setting: string;
  /** `null` where nothing is set and there is no default. */
  readonly value: unknown;
  /** Set, and kept back: it may hold keys. */
  readonly isHidden: boolean;
  readonly source: ValueSource;
}

/** Every setting there is, with its value and who set it. */
export function settingRows(configuration: Configuration): readonly SettingRow[] {
  return settingPlaces().map((place) => {
    const setting = settingPath(place);
    const { value, source } = decided(setting, configuration) ?? fromSettings(place, setting, configuration);
    const isHidden = mayHoldKeys(setting) && source.kind !== "default";
    return { setting, value: isHidden ? null : value, isHidden, source };
  });
}

type Decided = Pick<SettingRow, "value" | "source">;

/** Where more than files have a say, the engine has decided. */
function decided(setting: string, configuration: Configuration): Decided | undefined {
  const { switches, thresholds, window, survey, flags } = configuration;
  const by = (said = "default") => toSource(said, survey, flags);
  const switchName = setting.replace(/Enabled$/, "");
  if (Object.hasOwn(switches.sources, switchName)) {
    const name = switchName as SwitchName;
    return { value: switches[name], source: by(switches.sources[name]) };
  }
  if (Object.hasOwn(thresholds, setting)) {
    const chosen = thresholds[setting as keyof ChosenThresholds];
    return { value: chosen.value ?? null, source: by(chosen.setting) };
  }
  if (setting === "window.defaultWindowTokens" && window.source === "environment") {
    return { value: window.tokens, source: { kind: "environment", variable: windowVariable } };
  }
  return undefined;
}

function fromSettings(place: readonly string[], setting: string, { survey }: Configuration): Decided {
  const value = valueAt(survey.settings, place) ?? valueAt(defaults, place) ?? null;
  return { value, source: fromFiles(setting, survey) };
}

const defaults = {
  window: windowNumbers,
  toolResults: toolResultNumbers,
  microcompact: microcompactNumbers,
  compaction: { native: defaultNativeCompaction, ...compactionNumbers },
  sessionNotes: notesNumbers,
  folding: foldingNumbers,
  dream: { enabled: true, ...dreamNumbers, dailyLogs: false },
  agents: agentNumbers,
  durability: defaultDurability,
};

function valueAt(value: unknown, place: readonly string[]): unknown {
  return place.reduce<unknown>((part, name) => new Map(Object.entries(part ?? {})).get(name), value);
}

function mayHoldKeys(setting: string): boolean {
  return (hiddenSettings as readonly string[]).includes(setting);
}
