import type { Found } from "../../catalog/index.ts";
import {
  type ChosenValue,
  choose,
  type Environment,
  fromEnvironment,
  readTokens,
  type SettingWarning,
} from "../../settings/setting-values.ts";
import { variablesOf } from "../../settings/variables.ts";
import type { Capabilities } from "../../spec/index.ts";
import { type WindowNumbers, windowSettings, withWindowNumbers } from "./settings.ts";
import type { WindowThresholds } from "./window-thresholds.ts";

/** Who said how large the window is. */
export type WindowSource = "model-suffix" | "capabilities" | "beta-header" | "environment" | "default";

export interface Window {
  readonly tokens: number;
  readonly source: WindowSource;
  /** The variable that said so. */
  readonly variable?: string;
  /** Betas that requests need for it; absent: none. */
  readonly betas?: readonly string[];
  /** Why the window that the model's name asks for is not there; its own stands in. */
  readonly refusal?: string;
  readonly warnings: readonly SettingWarning[];
}

export interface WindowInput {
  /** As the user names it: the suffix `[1m]` asks for the long window. */
  readonly model: string;
  /** From the catalog, or from the Models API as `known`. The defaults of an unknown model do not count. */
  readonly capabilities: Pick<Found<unknown>, "known"> & {
    readonly value: Pick<Capabilities, "contextWindow" | "longWindow">;
  };
  /** The beta headers that requests carry. */
  readonly betas?: readonly string[];
  readonly environment?: Environment;
  readonly numbers?: Partial<WindowNumbers>;
}

/** Count where nobody knows the model's window. */
const windowVariables = variablesOf("window.defaultWindowTokens", windowSettings.defaultWindowTokens);
const longSuffix = /\s*\[1m\]$/i;
const longBeta = /^context-1m-/;
/** Asks for the long window. */
export const longWindowBeta = "context-1m-2025-08-07";

/** Whether a model's name asks for the long window. */
export function hasLongSuffix(model: string): boolean {
  return longSuffix.test(model.trim());
}

/** `[1m]` asks for a window; it is no part of the name that servers know. */
export function withoutLongSuffix(model: string): string {
  return model.trim().replace(longSuffix, "");
}

/** How many tokens the model takes: suffix, capabilities, beta header, environment, default, in this order. */
export function resolveWindow(input: WindowInput): Window {
  const { model, capabilities, betas = [], environment = {} } = input;
  const numbers = withWindowNumbers(input.numbers);
  const wish = choose(
    fromEnvironment(environment, windowVariables),
    readTokens,
    "a whole number of tokens over 0",
  );
  const found = (source: WindowSource, tokens: number): Window => ({
    tokens,
    source,
    ...(source === "environment" && { variable: wish.setting }),
    ...(source === "model-suffix" && { betas: [longWindowBeta] }),
    warnings: [...wish.warnings, ...unusedWish(wish, tokens, source)],
  });
  if (hasLongSuffix(model)) {
    const refusal = refusalOf(input, numbers);
    if (refusal === undefined) return found("model-suffix", numbers.longWindowTokens);
    return { ...found("capabilities", capabilities.value.contextWindow), refusal };
  }
  if (capabilities.known) return found("capabilities", capabilities.value.contextWindow);
  if (betas.some((beta) => longBeta.test(beta))) return found("beta-header", numbers.longWindowTokens);
  if (wish.value !== undefined) return found("environment", wish.value);
  return found("default", numbers.defaultWindowTokens);
}

/** Of a model that nobody knows, whoever names it knows best. */
function refusalOf(
  { model, capabilities: { known, value } }: WindowInput,
  { longWindowTokens }: WindowNumbers,
): string | undefined {
  if (!known || value.longWindow || value.contextWindow >= longWindowTokens) return undefined;
  const name = withoutLongSuffix(model);
  return `“[1m]” asks for a window of ${longWindowTokens} tokens, and ${name} has ${value.contextWindow}.`;
}

function unusedWish(
  { value, setting = "" }: ChosenValue<number>,
  tokens: number,
  source: WindowSource,
): readonly SettingWarning[] {
  if (value === undefined || value === tokens) return [];
  const message = `${setting} is ignored: the window is known to be ${tokens} tokens (${source}).`;
  return [{ setting, value: String(value), message }];
}

/** The part of the threshold that is a conversation's, whatever stands before it, as long as requests may be sent. */
const headRoomPercent = 10;

/**
 * The thresholds where system prompt and tools have so many tokens. A head that fills the window nearly up to the
 * threshold would leave nothing to compact: automatic compaction then begins later, at most where requests are blocked.
 */
export function withHeadRoom(thresholds: WindowThresholds, headTokens: number): WindowThresholds {
  const { auto, base, warning, error, blocking, autoEnabled } = thresholds;
  const wanted = Math.min(blocking, headTokens + Math.ceil((auto * headRoomPercent) / 100));
  const later = wanted - auto;
  if (later <= 0) return thresholds;
  if (!autoEnabled) return { ...thresholds, auto: wanted };
  return { ...thresholds, auto: wanted, base: base + later, warning: warning + later, error: error + later };
}

/** Where a count of tokens stands among the thresholds. */
interface WindowUsage {
  /** Whole percent of the base, 0 to 100. */
  readonly percentLeft: number;
  readonly isWarning: boolean;
  readonly isError: boolean;
  /** Automatic compaction is due; never while it is off. */
  readonly isAuto: boolean;
  /** No request may be sent; compaction by hand and the engine's own forks still run. */
  readonly isBlocking: boolean;
}

export function judgeUsage(thresholds: WindowThresholds, usedTokens: number): WindowUsage {
  const { base, auto, autoEnabled, warning, error, blocking } = thresholds;
  const used = Math.max(0, usedTokens);
  return {
    percentLeft: base === 0 ? 0 : Math.max(0, Math.round(((base - used) / base) * 100)),
    isWarning: used >= warning,
    isError: used >= error,
    isAuto: autoEnabled && used >= auto,
    isBlocking: used >= blocking,
  };
}
