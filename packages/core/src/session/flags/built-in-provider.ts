import type { ErrorCode, JsonValue, Provider, ResolutionDetails } from "@openfeature/server-sdk";
import { flagVariable, flagVariablePrefix } from "../../settings/flag.ts";
import { nearestName } from "../../settings/nearest-name.ts";
import { formOf } from "../../settings/schema-form.ts";
import {
  choose,
  type Environment,
  fromEnvironment,
  readSwitch,
  type SettingWarning,
  switchWords,
} from "../../settings/setting-values.ts";
import type { FlagName, FlagValues } from "../../spec/index.ts";
import { checkFlag, flagNames, flagTable, killSwitchesFlag } from "./flag-table.ts";
import { retiredFlagNames } from "./retired-flags.ts";

export interface BuiltInSources {
  readonly environment: Environment;
  /** The `flags` of the settings files, merged. */
  readonly flags?: Partial<FlagValues>;
}

/**
 * Environment and settings files as an OpenFeature provider, the environment first; the variant says which of them. A
 * session hears both by itself: this is for an application that asks OpenFeature, or puts it beside its own providers.
 * It has no state, needs no set-up and loads nothing.
 */
export function createBuiltInProvider({ environment, flags = {} }: BuiltInSources): Provider {
  const variables = readFlagVariables(environment);
  const values = new Map<string, { readonly value: unknown; readonly variant: string }>([
    ...Object.entries(flags).map(([name, value]) => [name, { value, variant: "settings" }] as const),
    ...Object.entries(variables.flags).map(
      ([name, value]) => [name, { value, variant: "environment" }] as const,
    ),
    ...retiredFlagNames.flatMap((name) => {
      const value = readSwitch(environment[flagVariable(name)]);
      return value === undefined ? [] : [[name, { value, variant: "environment" }] as const];
    }),
    [killSwitchesFlag, { value: variables.killSwitches, variant: "environment" }],
  ]);

  async function resolve<Value>(name: string, fallback: Value): Promise<ResolutionDetails<Value>> {
    const { value, variant } = values.get(name) ?? {};
    if (value === undefined) return { value: fallback, reason: "ERROR", errorCode: notFound };
    if (typeof value !== typeof fallback) return { value: fallback, reason: "ERROR", errorCode: wrongType };
    return { value: value as Value, variant, reason: "STATIC" };
  }

  return {
    metadata: { name: "palimpsest" },
    runsOn: "server",
    resolveBooleanEvaluation: resolve<boolean>,
    resolveStringEvaluation: resolve<string>,
    resolveNumberEvaluation: resolve<number>,
    resolveObjectEvaluation: <Value extends JsonValue>(name: string, fallback: Value) =>
      resolve(name, fallback),
  };
}

/** OpenFeature's own constants would load all of it. */
const notFound = "FLAG_NOT_FOUND" as ErrorCode;
const wrongType = "TYPE_MISMATCH" as ErrorCode;

interface FlagVariables {
  readonly flags: Partial<FlagValues>;
  /** The list of `PALIMPSEST_FLAG_KILL_SWITCHES`, as it is written. */
  readonly killSwitches?: string;
  /** Variables whose value cannot be used, or whose name is no flag's. */
  readonly warnings: readonly SettingWarning[];
}

/** The flags in the environment; those that are read as a setting are left to whoever reads settings. */
export function readFlagVariables(environment: Environment): FlagVariables {
  const read = flagNames.map((name) => ({ name, ...readVariable(name, environment) }));
  const killSwitches = environment[flagVariable(killSwitchesFlag)];
  return {
    flags: Object.fromEntries(
      read.filter(({ value }) => value !== undefined).map(({ name, value }) => [name, value]),
    ),
    ...(killSwitches === undefined ? {} : { killSwitches }),
    warnings: [...read.flatMap(({ warnings }) => warnings), ...unknownVariables(environment)],
  };
}

function readVariable(name: FlagName, environment: Environment) {
  const candidates = fromEnvironment(environment, [flagVariable(name)]);
  return formOf(flagTable[name].schema).kind === "switch"
    ? choose<unknown>(candidates, readSwitch, switchWords)
    : choose<unknown>(candidates, (text) => readJson(name, text), 'JSON such as {"Bash": 30000}');
}

function readJson(name: FlagName, text: unknown): unknown {
  try {
    const checked = checkFlag(name, JSON.parse(String(text)));
    return checked.answer === "given" ? checked.value : undefined;
  } catch {
    return undefined;
  }
}

const knownVariables: ReadonlySet<string> = new Set(
  [...flagNames, ...retiredFlagNames, killSwitchesFlag].map(flagVariable),
);

function unknownVariables(environment: Environment): readonly SettingWarning[] {
  return Object.entries(environment)
    .filter(
      ([name, value]) =>
        name.startsWith(flagVariablePrefix) && value !== undefined && !knownVariables.has(name),
    )
    .map(([setting, value = ""]) => {
      const meant = nearestName(setting.slice(flagVariablePrefix.length), [...flagNames, killSwitchesFlag]);
      const fix =
        meant === undefined ? `known flags: ${flagNames.join(", ")}` : `did you mean ${flagVariable(meant)}?`;
      return { setting, value, message: `${setting} is not a flag and has no effect; ${fix}` };
    });
}
