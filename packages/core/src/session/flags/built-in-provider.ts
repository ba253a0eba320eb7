import type { ErrorCode, JsonValue, Provider, ResolutionDetails } from "@openfeature/server-sdk";
import type { FlagValues } from "../../spec/index.ts";
import type { Environment } from "../../view/setting-values.ts";
import { killSwitchesFlag } from "./flag-table.ts";
import { readFlagVariables } from "./flag-variables.ts";

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
