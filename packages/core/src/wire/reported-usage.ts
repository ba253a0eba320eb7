import { isObject } from "../log/import/json-value.ts";

/**
 * What a provider reports where it is no usage: fields that should be counts and are not. Undefined where all of the
 * named ones are counts, or absent.
 */
export function brokenUsage(reported: unknown, names: readonly string[]): unknown {
  if (reported === undefined || reported === null) return undefined;
  if (!isObject(reported)) return reported;
  return names.every((name) => isCountOrAbsent(reported[name])) ? undefined : reported;
}

function isCountOrAbsent(value: unknown): boolean {
  return value === undefined || value === null || (Number.isSafeInteger(value) && (value as number) >= 0);
}
