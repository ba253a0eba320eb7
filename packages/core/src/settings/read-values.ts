import { is } from "valibot";
import type { Facts } from "../spec/index.ts";
import { isSetting, type Setting, type Shape, type ValuesOf } from "./setting.ts";

/** Below this window size counts of tokens shrink in proportion, where a setting says so. */
export const defaultScaleBelowTokens = 100_000;

/** The settings of a shape that have a default, as it is. */
export function defaultsOf<Of extends Shape>(shape: Of): ValuesOf<Of> {
  return readValues(shape, undefined);
}

/**
 * Reads what was set for a part, and fills in its defaults. Total: a value that does not fit is passed over. `scale`
 * multiplies the numbers that shrink in a small window.
 */
export function readValues<Of extends Shape>(shape: Of, given: unknown, scale = 1): ValuesOf<Of> {
  const values = new Map(Object.entries(typeof given === "object" && given !== null ? given : {}));
  const read = Object.entries(shape).flatMap(([name, setting]) => {
    if (!isSetting(setting)) return [];
    const value = isFit(setting, values.get(name)) ? values.get(name) : setting.default;
    return value === undefined ? [] : [[name, scaled(setting, value, scale)] as const];
  });
  const found: unknown = Object.fromEntries(read);
  if (isComplete(shape, found)) return found;
  throw new TypeError("A default of a setting is none.");
}

/** Whether every setting that has a default has a value. */
function isComplete<Of extends Shape>(shape: Of, values: unknown): values is ValuesOf<Of> {
  const has = (name: string) => typeof values === "object" && values !== null && name in values;
  return Object.entries(shape).every(
    ([name, part]) => !isSetting(part) || part.default === undefined || has(name),
  );
}

export function isFit<Value>({ schema }: Setting<Value>, value: unknown): value is Value {
  return is(schema, value);
}

/** How much smaller a window is than those that the numbers are made for. */
export function scaleOf({ settings, thresholds }: Pick<Facts, "settings" | "thresholds">): number {
  const below = settings.window?.scaleBelowTokens ?? defaultScaleBelowTokens;
  return Math.min(1, thresholds.window / below);
}

function scaled({ scaled: rounding }: Setting<unknown>, value: unknown, scale: number): unknown {
  if (rounding === undefined || typeof value !== "number") return value;
  return rounding === "up" ? Math.ceil(value * scale) : Math.floor(value * scale);
}
