import type { SessionSettings, SwitchName } from "../spec/index.ts";
import {
  type Candidate,
  choose,
  type Environment,
  fromEnvironment,
  readSwitch,
  type SettingWarning,
} from "./setting-values.ts";

/** The switches as settings: `autoCompactEnabled`, `sessionNotesEnabled` and so on. */
export type SwitchSettings = { readonly [Name in SwitchName as `${Name}Enabled`]?: boolean };

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

interface SwitchRule {
  readonly default: boolean;
  /** Truthy turns it off; anything falsy leaves the word to the others. */
  readonly disabledBy?: string;
  /** Truthy turns it on, falsy off; the project's own name before the alias. */
  readonly enabledBy?: readonly string[];
  readonly flag?: string;
  /** Off whenever one of these is. */
  readonly needs?: readonly SwitchName[];
}

/** A switch stands behind the ones it needs. */
const rules: Readonly<Record<SwitchName, SwitchRule>> = {
  compact: { default: true, disabledBy: "DISABLE_COMPACT", flag: "compact" },
  autoCompact: { default: true, disabledBy: "DISABLE_AUTO_COMPACT", needs: ["compact"] },
  microcompact: { default: true, disabledBy: "DISABLE_MICROCOMPACT", flag: "clear" },
  sessionNotes: { default: true, enabledBy: ["ENABLE_SESSION_MEMORY"], flag: "session-notes" },
  notesCompaction: {
    default: true,
    enabledBy: ["ENABLE_NOTES_COMPACTION"],
    flag: "notes-compaction",
    needs: ["compact", "sessionNotes"],
  },
  folding: {
    default: false,
    enabledBy: ["PALIMPSEST_CONTEXT_COLLAPSE", "CLAUDE_CONTEXT_COLLAPSE"],
    flag: "fold",
    needs: ["compact"],
  },
};

/** The flags that say the same as a switch, by name. */
export function flagsOfSwitches(
  on: Readonly<Record<SwitchName, boolean>>,
): Readonly<Record<string, boolean>> {
  const pairs = Object.entries(rules).flatMap(([name, { flag }]) =>
    flag === undefined ? [] : [[flag, on[name as SwitchName]] as const],
  );
  return Object.fromEntries(pairs);
}

const words = "one of 1, true, yes, on, 0, false, no, off";

/**
 * Which parts are on. `compact` covers every kind of compaction, by hand too; `autoCompact` automatic and reactive
 * ones. Micro-compaction has only its own switch, and notes are written also where compaction is off.
 */
export function readSwitches(sources: SwitchSources = {}): Switches {
  const on: Partial<Record<SwitchName, boolean>> = {};
  const from: Partial<Record<SwitchName, string>> = {};
  const warnings: SettingWarning[] = [];
  for (const [name, rule] of Object.entries(rules) as [SwitchName, SwitchRule][]) {
    const blocker = rule.needs?.find((needed) => !on[needed]);
    const own = decideSwitch(name, rule, sources);
    on[name] = own.on && blocker === undefined;
    from[name] = own.on && blocker !== undefined ? (from[blocker] ?? blocker) : own.source;
    warnings.push(...own.warnings);
  }
  return { ...(on as Record<SwitchName, boolean>), sources: from as Record<SwitchName, string>, warnings };
}

function decideSwitch(name: SwitchName, rule: SwitchRule, sources: SwitchSources) {
  const { killSwitches = [], options, environment = {}, flags = {}, settings } = sources;
  const { flag, disabledBy, enabledBy = [] } = rule;
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
    ...fromEnvironment(environment, enabledBy),
    ...(flag === undefined ? [] : [{ setting: `flag ${flag}`, value: flags[flag] }]),
    { setting: `settings.${key}`, value: settings?.[key] },
  ];
  const { value = rule.default, setting = "default", warnings } = choose(candidates, readSwitch, words);
  return { on: value, source: setting, warnings };
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
