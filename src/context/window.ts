import type { Found } from "../catalog/index.ts";
import type { Capabilities } from "../spec/index.ts";
import {
  choose,
  type Environment,
  fromEnvironment,
  readTokens,
  type SettingWarning,
} from "./setting-values.ts";
import { type WindowNumbers, withWindowNumbers } from "./window-numbers.ts";

/** Who said how large the window is. */
export type WindowSource = "model-suffix" | "capabilities" | "beta-header" | "environment" | "default";

export interface Window {
  readonly tokens: number;
  readonly source: WindowSource;
  readonly warnings: readonly SettingWarning[];
}

export interface WindowQuestion {
  /** As the user names it: the suffix `[1m]` asks for the long window. */
  readonly model: string;
  /** From the catalog, or from the Models API as `known`. The defaults of an unknown model do not count. */
  readonly capabilities: Pick<Found<unknown>, "known"> & {
    readonly value: Pick<Capabilities, "contextWindow">;
  };
  /** The beta headers that requests carry. */
  readonly betas?: readonly string[];
  readonly environment?: Environment;
  readonly numbers?: Partial<WindowNumbers>;
}

/** Counts where nobody knows the model's window. */
export const windowVariable = "PALIMPSEST_CONTEXT_WINDOW";
const longSuffix = /\[1m\]$/i;
const longBeta = /^context-1m-/;

/** How many tokens the model takes: suffix, capabilities, beta header, environment, default, in this order. */
export function resolveWindow(question: WindowQuestion): Window {
  const { model, capabilities, betas = [], environment = {} } = question;
  const numbers = withWindowNumbers(question.numbers);
  const wish = choose(
    fromEnvironment(environment, [windowVariable]),
    readTokens,
    "a whole number of tokens over 0",
  );
  const found = (source: WindowSource, tokens: number): Window => ({
    tokens,
    source,
    warnings: [...wish.warnings, ...unusedWish(wish.value, tokens, source)],
  });
  if (longSuffix.test(model.trim())) return found("model-suffix", numbers.longWindowTokens);
  if (capabilities.known) return found("capabilities", capabilities.value.contextWindow);
  if (betas.some((beta) => longBeta.test(beta))) return found("beta-header", numbers.longWindowTokens);
  if (wish.value !== undefined) return found("environment", wish.value);
  return found("default", numbers.defaultWindowTokens);
}

function unusedWish(
  wish: number | undefined,
  tokens: number,
  source: WindowSource,
): readonly SettingWarning[] {
  if (wish === undefined || wish === tokens) return [];
  const message = `${windowVariable} is ignored: the window is known to be ${tokens} tokens (${source}).`;
  return [{ setting: windowVariable, value: String(wish), message }];
}
