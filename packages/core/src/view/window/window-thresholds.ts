import type { SettingsOf } from "../../settings/setting.ts";
import {
  type Candidate,
  type ChosenValue,
  choose,
  type Environment,
  fromEnvironment,
  readNumber,
  readTokens,
  type SettingWarning,
} from "../../settings/setting-values.ts";
import { variablesOf } from "../../settings/variables.ts";
import { thresholdSettings, type WindowNumbers, withWindowNumbers } from "./settings.ts";

/** Thresholds a user may set, in code or in a settings file. */
export type ThresholdSettings = SettingsOf<typeof thresholdSettings>;

export interface ThresholdInput {
  readonly window: number;
  readonly maxOutput: number;
  /** Whether automatic compaction is switched on. */
  readonly autoEnabled: boolean;
  /** Stronger than the environment, which is stronger than `settings`. */
  readonly options?: ThresholdSettings;
  readonly environment?: Environment;
  readonly settings?: ThresholdSettings;
  readonly numbers?: Partial<WindowNumbers>;
}

/** Counts of tokens: each level begins at its number. */
export interface WindowThresholds {
  /** The window after shrinking. */
  readonly window: number;
  /** The window less the room to write a summary in. */
  readonly effective: number;
  readonly autoEnabled: boolean;
  /** Where automatic compaction begins, while it is on. */
  readonly auto: number;
  /** The base of percentages: `auto` while automatic compaction is on, else `effective`. */
  readonly base: number;
  readonly warning: number;
  readonly error: number;
  /** Where requests are blocked; compaction by hand and the engine's own forks still run. */
  readonly blocking: number;
  readonly warnings: readonly SettingWarning[];
}

const tokensExpected = "a whole number of tokens over 0";

/** Everyone who may have a say, strongest first. */
export type ThresholdSources = Pick<ThresholdInput, "options" | "environment" | "settings">;

/** The thresholds set, and who set them. */
export type ChosenThresholds = { readonly [Name in keyof ThresholdSettings]-?: ChosenValue<number> };

export function chooseThresholds(sources: ThresholdSources): ChosenThresholds {
  return {
    autoCompactPercent: setting(sources, "autoCompactPercent", readPercent, "a number over 0 and up to 100"),
    autoCompactWindow: setting(sources, "autoCompactWindow", readTokens, tokensExpected),
    blockingLimit: setting(sources, "blockingLimit", readTokens, tokensExpected),
  };
}

export function computeThresholds(input: ThresholdInput): WindowThresholds {
  const numbers = withWindowNumbers(input.numbers);
  const chosen = chooseThresholds(input);
  const { autoCompactPercent: percent, autoCompactWindow: smaller, blockingLimit: limit } = chosen;

  const window = Math.min(input.window, smaller.value ?? input.window);
  const { room, part, whole } = measure(window, numbers.scaleBelowTokens);
  const reserve = Math.min(room(input.maxOutput), part(numbers.summaryReserveTokens));
  const effective = room(window) - reserve;
  const latest = effective - part(numbers.autoBufferTokens);
  const auto = Math.min(latest, room(share(whole(effective), percent.value ?? 100)));
  const base = input.autoEnabled ? auto : effective;
  return {
    window,
    effective: whole(effective),
    autoEnabled: input.autoEnabled,
    auto: whole(auto),
    base: whole(base),
    warning: whole(base - part(numbers.warningBufferTokens)),
    error: whole(base - part(numbers.errorBufferTokens)),
    blocking: limit.value ?? whole(effective - part(numbers.blockingBufferTokens)),
    warnings: [...percent.warnings, ...smaller.warnings, ...limit.warnings],
  };
}

/**
 * Exact arithmetic in a window where constants may be scaled: `room` takes tokens, `part` a constant, and `whole` gives
 * the first whole number of tokens at or over a threshold, never below 0.
 */
function measure(window: number, scaleBelow: number) {
  const [multiplier, divisor] = window < scaleBelow ? [window, scaleBelow] : [1, 1];
  return {
    room: (tokens: number) => tokens * divisor,
    part: (constant: number) => constant * multiplier,
    whole: (amount: number) => Math.ceil(Math.max(0, amount) / divisor),
  };
}

/** Rounded before it is floored, so that 33.3 percent of 180,000 is 59,940 and not one less. */
function share(tokens: number, percent: number): number {
  return Math.floor(Number(((tokens * percent) / 100).toFixed(6)));
}

function setting(
  { options, environment = {}, settings }: ThresholdSources,
  name: keyof ThresholdSettings,
  read: (value: unknown) => number | undefined,
  expects: string,
): ChosenValue<number> {
  const candidates: readonly Candidate[] = [
    { setting: `options.${name}`, value: options?.[name] },
    ...fromEnvironment(environment, variablesOf(name, thresholdSettings[name])),
    { setting: `settings.${name}`, value: settings?.[name] },
  ];
  return choose(candidates, read, expects);
}

function readPercent(value: unknown): number | undefined {
  const percent = readNumber(value);
  return percent !== undefined && percent > 0 && percent <= 100 ? percent : undefined;
}
