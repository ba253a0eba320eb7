import type { Setting, SettingsOf } from "../settings/setting.ts";
import {
  type Candidate,
  choose,
  type Environment,
  fromEnvironment,
  readSwitch,
  type SettingWarning,
  switchWords,
} from "../settings/setting-values.ts";
import { variablesOf } from "../settings/variables.ts";
import type { SessionSettings, SwitchName } from "../spec/index.ts";
import { switchSettings } from "./switch-settings.ts";

/** The switches as settings: `autoCompactEnabled`, `sessionNotesEnabled` and so on. */
export type SwitchSettings = SettingsOf<typeof switchSettings>;

/** Everyone who may have a say, strongest first. */
export interface SwitchSources {
  /** Names of the flags that are killed. */
  readonly killSwitches?: readonly string[];
  readonly options?: SwitchSettings & { readonly flags?: Readonly<Record<string, unknown>> };
  readonly environment?: Environment;
  readonly flags?: Readonly<Record<string, boolean>>;
  /** The settings files, merged. */
  readonly settings?: SwitchSettings;
}

export interface Switches extends Readonly<Record<SwitchName, boolean>> {
  /** Who decided each of them: a variable, a setting, a flag, another switch or `default`. */
  readonly sources: Readonly<Record<SwitchName, string>>;
  readonly warnings: readonly SettingWarning[];
}

/** The switches that one needs: it is off whenever one of them is. A switch stands behind the ones it needs. */
const needs: Readonly<Record<SwitchName, readonly SwitchName[]>> = {
  compact: [],
  autoCompact: ["compact"],
  microcompact: [],
  sessionNotes: [],
  notesCompaction: ["compact", "sessionNotes"],
  folding: ["compact"],
};

const names = Object.keys(needs).filter(isSwitchName);

function isSwitchName(name: string): name is SwitchName {
  return Object.hasOwn(needs, name);
}

const settingOf = (name: SwitchName): Setting<boolean> => switchSettings[`${name}Enabled`];

/** The flags that say the same as a switch, by name. */
export function flagsOfSwitches(
  on: Readonly<Record<SwitchName, boolean>>,
): Readonly<Record<string, boolean>> {
  const pairs = names.flatMap((name) => {
    const { flag } = settingOf(name);
    return flag === undefined ? [] : [[flag, on[name]] as const];
  });
  return Object.fromEntries(pairs);
}

/**
 * Which parts are on. `compact` covers every kind of compaction, by hand too; `autoCompact` automatic and reactive
 * ones. Micro-compaction has only its own switch, and notes are written also where compaction is off.
 */
export function readSwitches(sources: SwitchSources = {}): Switches {
  const on = new Map<SwitchName, boolean>();
  const from = new Map<SwitchName, string>();
  const warnings: SettingWarning[] = [];
  for (const name of names) {
    const blocker = needs[name].find((needed) => !on.get(needed));
    const own = decideSwitch(name, sources);
    on.set(name, own.on && blocker === undefined);
    from.set(name, own.on && blocker !== undefined ? (from.get(blocker) ?? blocker) : own.source);
    warnings.push(...own.warnings);
  }
  return {
    ...bySwitch((name) => on.get(name) ?? false),
    sources: bySwitch((name) => from.get(name) ?? "default"),
    warnings,
  };
}

function bySwitch<Value>(read: (name: SwitchName) => Value): Readonly<Record<SwitchName, Value>> {
  return {
    compact: read("compact"),
    autoCompact: read("autoCompact"),
    microcompact: read("microcompact"),
    sessionNotes: read("sessionNotes"),
    notesCompaction: read("notesCompaction"),
    folding: read("folding"),
  };
}

function decideSwitch(name: SwitchName, sources: SwitchSources) {
  const { killSwitches = [], options, environment = {}, flags = {}, settings } = sources;
  const setting = settingOf(name);
  const { flag, disabledBy } = setting;
  if (flag !== undefined && killSwitches.includes(flag)) {
    return { on: false, source: `kill switch ${flag}`, warnings: [] };
  }
  const key = `${name}Enabled` as const;
  const candidates: readonly Candidate[] = [
    { setting: `options.${key}`, value: options?.[key] },
    ...(flag === undefined ? [] : [{ setting: `options.flags.${flag}`, value: options?.flags?.[flag] }]),
    ...(disabledBy === undefined
      ? []
      : [{ setting: disabledBy, value: disabledValue(environment[disabledBy]) }]),
    ...fromEnvironment(environment, variablesOf(key, setting)),
    ...(flag === undefined ? [] : [{ setting: `flag ${flag}`, value: flags[flag] }]),
    { setting: `settings.${key}`, value: settings?.[key] },
  ];
  const chosen = choose(candidates, readSwitch, switchWords);
  return {
    on: chosen.value ?? setting.default ?? false,
    source: chosen.setting ?? "default",
    warnings: chosen.warnings,
  };
}

/** The value that a disabling variable gives what it disables. */
function disabledValue(value: string | undefined): boolean | string | undefined {
  const isThrown = readSwitch(value);
  if (isThrown === undefined) return value;
  return isThrown ? false : undefined;
}

/**
 * Whether requests of any size are sent, and the session is compacted once the provider has refused one: the flag
 * `reactive-only`. Without automatic compaction a refusal would lead to nothing, so the flag does not count.
 */
export function sendsUntilRefused({ switches = {}, flags = {} }: SessionSettings): boolean {
  const mayCompact = switches.compact !== false && switches.autoCompact !== false;
  return mayCompact && flags["reactive-only"] === true;
}
