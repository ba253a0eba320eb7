import { amount, count, none } from "../../settings/declare.ts";
import { defaultScaleBelowTokens, defaultsOf, isFit } from "../../settings/read-values.ts";
import { formOf } from "../../settings/schema-form.ts";
import type { DefaultSetting, ValuesOf } from "../../settings/setting.ts";
import { PalimpsestError } from "../../spec/index.ts";

/** Where the window's limits lie: a person may move them. */
export const thresholdSettings = {
  autoCompactPercent: amount(
    none,
    "percent of the effective window at which automatic compaction starts; never later than the default",
    {
      over: 0,
      most: 100,
      variables: ["PALIMPSEST_AUTOCOMPACT_PCT", "CLAUDE_AUTOCOMPACT_PCT_OVERRIDE"],
    },
  ),
  autoCompactWindow: count(none, "shrinks the window to this many tokens, for tests", {
    least: 1,
    variables: ["PALIMPSEST_AUTOCOMPACT_WINDOW", "CLAUDE_CODE_AUTO_COMPACT_WINDOW"],
  }),
  blockingLimit: count(none, "requests with this many tokens or more are blocked", {
    least: 1,
    variables: ["PALIMPSEST_BLOCKING_LIMIT", "CLAUDE_CODE_BLOCKING_LIMIT_OVERRIDE"],
  }),
};

/** Counts where nobody knows the model's window. */
export const windowVariable = "PALIMPSEST_CONTEXT_WINDOW";

/** The numbers behind the window and its thresholds, in tokens. */
export const windowSettings = {
  longWindowTokens: count(1_000_000, "window size for the suffix `[1m]` and the 1M beta header", {
    least: 1,
  }),
  defaultWindowTokens: count(200_000, "window size of a model that is not known", {
    least: 1,
    variables: [windowVariable],
  }),
  summaryReserveTokens: count(
    20_000,
    "tokens reserved for writing a summary; the window minus these is the effective window",
  ),
  autoBufferTokens: count(13_000, "tokens below the effective window at which automatic compaction starts"),
  warningBufferTokens: count(
    20_000,
    "tokens before compaction starts at which the warning of a full window is shown",
  ),
  errorBufferTokens: count(20_000, "tokens before compaction starts at which that warning becomes an error"),
  blockingBufferTokens: count(3_000, "tokens below the effective window at which requests are blocked"),
  scaleBelowTokens: count(
    defaultScaleBelowTokens,
    "below this window size, reserve, buffers and other counts of tokens shrink in proportion",
    { least: 1 },
  ),
};

/** Every number the window and its thresholds rest on. */
export type WindowNumbers = ValuesOf<typeof windowSettings>;

export const windowNumbers: WindowNumbers = defaultsOf(windowSettings);

/** The numbers with the given ones in their place; throws `invalid-input` at one that is no count of tokens. */
export function withWindowNumbers(given: Partial<WindowNumbers> = {}): WindowNumbers {
  const values = Object.entries(given).filter(([, value]) => value !== undefined);
  const settings = new Map<string, DefaultSetting<number>>(Object.entries(windowSettings));
  for (const [name, value] of values) {
    const setting = settings.get(name);
    if (setting === undefined)
      refuse(name, "is not one of the window's numbers", `Use one of: ${[...settings.keys()].join(", ")}.`);
    else if (!isFit(setting, value)) refuse(name, `is ${value}`, `Give ${smallestOf(setting)}.`);
  }
  return { ...windowNumbers, ...Object.fromEntries(values) };
}

function smallestOf({ schema }: DefaultSetting<number>): string {
  const form = formOf(schema);
  return `a whole number of tokens, ${form.kind === "number" ? form.least : 0} or more`;
}

function refuse(name: string, problem: string, fix: string): never {
  const path = `numbers.${name}`;
  throw new PalimpsestError("invalid-input", `${path} ${problem}. ${fix}`, { path, fix });
}
