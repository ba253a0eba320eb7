import type { Provider } from "@openfeature/server-sdk";
import { deepFreeze } from "../../json/json-values.ts";
import { flagVariable } from "../../settings/flag.ts";
import { nearestName } from "../../settings/nearest-name.ts";
import type { Environment, SettingWarning } from "../../settings/setting-values.ts";
import type { Clock, FlagName, FlagValues, Settings, StoredFlags, SwitchFlagName } from "../../spec/index.ts";
import { askProvider, type FlagContext, type ProviderAnswers } from "./ask-provider.ts";
import { readFlagVariables } from "./built-in-provider.ts";
import { checkFlag, flagNames, flagTable, isFlagName, killSwitchesFlag } from "./flag-table.ts";
import { isRetiredFlag, retiredFlagNames, retiredFlagText } from "./retired-flags.ts";

/** How long a session that opens waits for a provider. */
export const providerTimeoutMs = 1_000;

const killSwitchesVariable = flagVariable(killSwitchesFlag);

export interface ResolveFlagsOptions {
  /** Any OpenFeature provider. Give the same object to every session: OpenFeature never lets go of one. */
  readonly provider?: Provider;
  /** The program's options, checked. */
  readonly options?: Pick<Settings, "flags">;
  /** The values a resumed session began with: its prefix was made with them. */
  readonly kept?: Partial<FlagValues>;
  /** The store's flags, for everybody on it. */
  readonly stored?: StoredFlags;
  readonly environment: Environment;
  readonly settings: Pick<Settings, "flags">;
  readonly clock: Clock;
  readonly timeoutMs?: number;
  readonly context?: FlagContext;
}

/** The flags of one session: plain data, frozen, the same until it closes. */
export interface ResolvedFlags {
  /** Every flag; a killed one is off. */
  readonly values: FlagValues;
  /** Flags that are off whatever anybody else says. */
  readonly killSwitches: readonly FlagName[];
  /** Who killed each of them. */
  readonly killedBy: Readonly<Partial<Record<FlagName, string>>>;
  /** The switches that somebody set, defaults and kill switches left out: what may overrule a setting. */
  readonly given: Readonly<Partial<Record<SwitchFlagName, boolean>>>;
  /** Who decided each. */
  readonly sources: Readonly<Record<FlagName, string>>;
  /** Who asks for the mode `thrifty` by a flag of old: a provider or the store. Others say it as a setting. */
  readonly thriftyBy?: string;
  readonly warnings: readonly SettingWarning[];
}

/** One that may have a say in a flag. */
interface FlagSource {
  readonly flags: Readonly<Record<string, unknown>>;
  source(name: FlagName): string;
}

/**
 * Kill switch, option, environment, provider, store, settings, default: the first that has a usable value decides. A provider
 * that fails, hangs or answers nonsense is passed over with a warning. Never rejects.
 */
export async function resolveFlags(question: ResolveFlagsOptions): Promise<ResolvedFlags> {
  const { provider, options, environment, settings, clock } = question;
  const { timeoutMs = providerTimeoutMs, context = {} } = question;
  const variables = readFlagVariables(environment);
  const asked = provider && (await askProvider(provider, { clock, timeoutMs, context }));
  const providerName = `flag provider ${asked?.provider}`;

  const stored = question.stored && checkStoredFlags(question.stored);
  const storeName = `store ${question.stored?.address}`;

  const killLists = [
    { ...readKillList(variables.killSwitches, killSwitchesVariable), setting: killSwitchesVariable },
    { ...readKillList(asked?.killSwitches, providerName), setting: providerName },
    { killed: stored?.killed ?? [], warnings: stored?.warnings ?? [], setting: storeName },
  ];
  const killed = new Map(
    killLists.toReversed().flatMap((list) => list.killed.map((name) => [name, list.setting] as const)),
  );
  const voices: readonly FlagSource[] = [
    { flags: question.kept ?? {}, source: () => "the session's beginning" },
    { flags: options?.flags ?? {}, source: (name) => `options.flags.${name}` },
    { flags: variables.flags, source: flagVariable },
    { flags: asked?.flags ?? {}, source: () => providerName },
    { flags: stored?.flags ?? {}, source: () => storeName },
    { flags: settings.flags ?? {}, source: (name) => `settings.flags.${name}` },
  ];
  const retired = [
    ...(asked ? retiredIn(providerName, asked.retired) : []),
    ...retiredIn(storeName, storedRetired(question.stored)),
  ];
  const thriftyBy = retired.find(({ isOn }) => isOn)?.source;
  const chosen = flagNames.map((name) => ({ name, ...chooseFlag(name, killed, voices) }));
  const given = chosen.filter(({ isGiven, value }) => isGiven && typeof value === "boolean");
  const resolved: ResolvedFlags = {
    values: valuesByFlag(chosen, ({ value }) => structuredClone(value)) as FlagValues,
    killSwitches: flagNames.filter((name) => killed.has(name)),
    killedBy: Object.fromEntries(killed),
    given: Object.fromEntries(given.map(({ name, value }) => [name, value])),
    sources: valuesByFlag(chosen, ({ source }) => source),
    ...(thriftyBy !== undefined && { thriftyBy }),
    warnings: [
      ...variables.warnings,
      ...(asked ? providerWarnings(asked) : []),
      ...killLists.flatMap(({ warnings }) => warnings),
      ...retired.map(({ warning }) => warning),
    ],
  };
  return deepFreeze(resolved);
}

/** Every flag is among them. */
function valuesByFlag<Chosen extends { readonly name: FlagName }, Value>(
  chosen: readonly Chosen[],
  read: (one: Chosen) => Value,
): Record<FlagName, Value> {
  return Object.fromEntries(chosen.map((one) => [one.name, read(one)])) as Record<FlagName, Value>;
}

function chooseFlag(name: FlagName, killed: ReadonlyMap<FlagName, string>, voices: readonly FlagSource[]) {
  const { default: usual } = flagTable[name];
  if (killed.has(name)) {
    const off = typeof usual === "boolean" ? false : usual;
    return { value: off, source: `kill switch ${name}`, isGiven: false };
  }
  const voice = voices.find(({ flags }) => Object.hasOwn(flags, name) && flags[name] !== undefined);
  if (voice === undefined) return { value: usual, source: "default", isGiven: false };
  return { value: voice.flags[name], source: voice.source(name), isGiven: true };
}

/** One warning per reason, however many flags it is about. */
function providerWarnings(answers: ProviderAnswers): readonly SettingWarning[] {
  const { provider, failures, problem } = answers;
  const setting = `flag provider ${provider}`;
  const flagsByReason = new Map<string, string[]>();
  for (const { flag, reason } of failures) {
    flagsByReason.set(reason, [...(flagsByReason.get(reason) ?? []), flag]);
  }
  const warnings = [...flagsByReason].map(([reason, flags]) => {
    const value = flags.length > flagNames.length ? "every flag" : flags.join(", ");
    const message = `The ${setting} failed on ${value}: ${reason}. Settings and defaults are used.`;
    return { setting, value, message };
  });
  if (problem === undefined) return warnings;
  const message = `The ${setting} failed: ${problem}. Where it has no answer, settings and defaults are used.`;
  return [{ setting, value: "", message }, ...warnings];
}

interface CheckedFlags {
  readonly flags: Readonly<Record<string, unknown>>;
  /** Names that are no flag's are not refused: a newer program on the same store may know them. */
  readonly killed: readonly FlagName[];
  readonly warnings: readonly SettingWarning[];
}

/** The usable part of a store's flags. */
function checkStoredFlags({ address, values, killed }: StoredFlags): CheckedFlags {
  const answers = flagNames
    .filter((name) => Object.hasOwn(values, name))
    .map((name) => ({ name, answer: checkFlag(name, values[name]) }));
  return {
    flags: Object.fromEntries(
      answers.flatMap(({ name, answer }) => (answer.answer === "given" ? [[name, answer.value]] : [])),
    ),
    killed: flagNames.filter((name) => killed.includes(name)),
    warnings: answers.flatMap(({ name, answer }) => {
      if (answer.answer !== "failed") return [];
      const message = `The flag ${name} on ${address} is not used: ${answer.reason}.`;
      return [{ setting: `flag ${name} on ${address}`, value: JSON.stringify(values[name]), message }];
    }),
  };
}

/** What one source says of flags that a mode has taken the place of. */
function retiredIn(source: string, values: ReadonlyMap<string, boolean>) {
  return [...values].map(([name, isOn]) => {
    const warning: SettingWarning = {
      setting: source,
      value: String(isOn),
      message: `${source}: ${retiredFlagText(name, isOn)}`,
    };
    return { source, isOn, warning };
  });
}

function storedRetired(stored: StoredFlags | undefined): ReadonlyMap<string, boolean> {
  const said = retiredFlagNames.filter((name) => stored && Object.hasOwn(stored.values, name));
  const killed = retiredFlagNames.filter((name) => stored?.killed.includes(name));
  return new Map([
    ...said.map((name) => [name, stored?.values[name] === true] as const),
    ...killed.map((name) => [name, false] as const),
  ]);
}

interface KillList {
  readonly killed: readonly FlagName[];
  /** Names that are no flag's: a kill switch that misses must be heard. */
  readonly warnings: readonly SettingWarning[];
}

/** Names separated by commas or blanks; `setting` is who gave them. */
function readKillList(given: string | undefined, setting: string): KillList {
  const names = (given ?? "").split(/[\s,]+/).filter((name) => name !== "");
  return {
    killed: names.filter(isFlagName),
    warnings: names
      .filter((name) => !isFlagName(name))
      .map((name) => {
        if (isRetiredFlag(name))
          return { setting, value: name, message: `${setting}: ${retiredFlagText(name, false)}` };
        const meant = nearestName(name, flagNames);
        const fix = meant === undefined ? `known flags: ${flagNames.join(", ")}` : `did you mean ${meant}?`;
        const message = `${setting}: there is no flag ${JSON.stringify(name)} to kill; ${fix}`;
        return { setting, value: name, message };
      }),
  };
}
