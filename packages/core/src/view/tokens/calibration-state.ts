import { isCount, isRecord } from "../../json/json-values.ts";
import { type FeatureName, type Features, featureNames, featureValues } from "./features.ts";

/** Of more models, the least recently observed are forgotten. */
export const maxModels = 32;

/** A calibration as plain JSON: about 1.5 KB a model. */
export interface CalibrationState {
  readonly version: 1;
  /** By model, least recently observed first. */
  readonly models: Readonly<Record<string, RateFit>>;
}

interface ParsedState {
  readonly fits: ReadonlyMap<string, RateFit>;
  /** The part that was not taken over, as one sentence for a person; absent when everything was. */
  readonly problem?: string;
}

/** Reads a stored state and never throws: what cannot be one is left out, model by model. */
export function parseCalibrationState(stored: unknown): ParsedState {
  if (!isRecord(stored) || !isRecord(stored.models)) return refuse("it is not a calibration");
  if (stored.version !== 1) return refuse(`its version is ${JSON.stringify(stored.version)}, not 1`);
  const models = Object.entries(stored.models);
  const fits = new Map(models.filter((model): model is [string, RateFit] => isFit(model[1])));
  const lost = models.filter(([model]) => !fits.has(model)).map(([model]) => model);
  return lost.length === 0
    ? { fits }
    : { fits, problem: `The stored calibration of ${lost.join(", ")} is damaged: these start afresh.` };
}

/** Of two states, per model the one that has seen more. A state that cannot be one counts as empty. */
export function mergeCalibrationStates(stored: unknown, mine: CalibrationState): CalibrationState {
  const models = new Map(stored === undefined ? [] : parseCalibrationState(stored).fits);
  for (const [model, fit] of Object.entries(mine.models)) {
    if ((models.get(model)?.observations ?? -1) > fit.observations) continue;
    models.delete(model);
    models.set(model, fit);
  }
  return { version: 1, models: Object.fromEntries([...models].slice(-maxModels)) };
}

function refuse(reason: string): ParsedState {
  return {
    fits: new Map(),
    problem: `The stored calibration is not used: ${reason}. All models start afresh.`,
  };
}

function isFit(value: unknown): value is RateFit {
  if (!isRecord(value)) return false;
  const { observations, spread, rates, products, moments } = value;
  return (
    isCount(observations) &&
    isWithin(spread, spreadLimits) &&
    isRow(rates, featureNames.length) &&
    featureNames.every((name, at) => isWithin(rates[at], rateRanges[name])) &&
    isRow(moments, featureNames.length) &&
    Array.isArray(products) &&
    products.length === featureNames.length &&
    products.every((row, at) => isRow(row, at + 1))
  );
}

/** All sums are over products of counts: none is negative. */
function isRow(value: unknown, length: number): value is number[] {
  return (
    Array.isArray(value) &&
    value.length === length &&
    value.every((number) => Number.isFinite(number) && number >= 0)
  );
}

function isWithin(value: unknown, limits: { readonly min: number; readonly max: number }): boolean {
  return typeof value === "number" && value >= limits.min && value <= limits.max;
}

/** A rate's prior (tokens per unit of a feature) before anything is seen, and the range for every model. */
interface RateRange {
  readonly start: number;
  /** How far the start may be off: the smaller, the more it takes to move the rate. */
  readonly doubt: number;
  readonly min: number;
  readonly max: number;
}

/**
 * Starts are round numbers near what Claude models of 2025 and 2026 had on recorded coding sessions. The limits leave
 * room for tokenizers twice as coarse or fine: 1.7 to 8 letters a token, 0.8 to 5 digits, and so on.
 */
export const rateRanges: Readonly<Record<FeatureName, RateRange>> = {
  letters: { start: 0.25, doubt: 0.05, min: 0.12, max: 0.6 },
  digits: { start: 0.5, doubt: 0.2, min: 0.2, max: 1.2 },
  newlines: { start: 1, doubt: 0.5, min: 0.1, max: 3 },
  spaces: { start: 0.1, doubt: 0.1, min: 0.01, max: 0.6 },
  punctuation: { start: 0.7, doubt: 0.3, min: 0.25, max: 1.5 },
  extraBytes: { start: 0.4, doubt: 0.3, min: 0.05, max: 1.5 },
  opaqueBytes: { start: 0.3, doubt: 0.1, min: 0.02, max: 0.8 },
  toolUses: { start: 60, doubt: 40, min: 0, max: 400 },
  media: { start: 1_500, doubt: 800, min: 100, max: 6_000 },
};

/**
 * Weighted least squares with forgetting, as plain data: the sums it needs, and the rates that follow from them. One
 * number per feature in the order of `featureNames`; `products` is the lower triangle, a row per feature.
 */
export interface RateFit {
  readonly observations: number;
  /** The usual relative error, as seen so far: what an outlier is measured by. */
  readonly spread: number;
  readonly rates: readonly number[];
  readonly products: readonly (readonly number[])[];
  readonly moments: readonly number[];
}

/** An observation counts half after 346 more. */
const forgetting = 0.998;
/** Below this many tokens an error is judged as if there were this many: small differences are mostly noise. */
const floorTokens = 200;
/** Beyond this factor something else has happened than that content was added. */
const outlierFactor = 4;
/** Errors over this many times the usual one lose weight, so that each pulls no more than one of that size. */
const fullWeightSpreads = 1.5;
/** Variance of the relative error that the start rates are weighed against. */
const startVariance = 0.005;
const spreadStep = 1.05;
const spreadLimits = { min: 0.01, max: 0.3 };
/** Sweeps over all rates. Few are enough: each observation starts from the last one's solution. */
const sweeps = 3;

const ranges = featureNames.map((name) => rateRanges[name]);

export const unseenFit: RateFit = {
  observations: 0,
  spread: 0.1,
  rates: ranges.map(({ start }) => start),
  products: ranges.map((_range, at) => Array<number>(at + 1).fill(0)),
  moments: ranges.map(() => 0),
};

/** Tokens by the rates, not rounded. */
export function tokensByRates(rates: readonly number[], features: Features): number {
  const values = featureValues(features);
  let tokens = 0;
  for (let at = 0; at < values.length; at += 1) tokens += (rates[at] as number) * (values[at] as number);
  return tokens;
}

/**
 * The fit after one more observation. An observation that cannot be the tokens of such content, or that is far out of
 * line, changes nothing: the very same fit comes back.
 */
export function fitObservation(fit: RateFit, features: Features, tokens: number): RateFit {
  const expected = tokensByRates(fit.rates, features);
  if (!(tokens > 0) || !(expected > 0) || !Number.isFinite(tokens + expected)) return fit;
  if (tokens > expected * outlierFactor + floorTokens) return fit;
  if (expected > tokens * outlierFactor + floorTokens) return fit;
  const base = Math.max(expected, floorTokens);
  const error = Math.abs(tokens - expected) / base;
  const weight = Math.min(1, (fullWeightSpreads * fit.spread) / Math.max(error, Number.EPSILON)) / base ** 2;
  const values = featureValues(features);
  const products = fit.products.map((row, at) =>
    row.map((sum, other) => sum * forgetting + weight * (values[at] as number) * (values[other] as number)),
  );
  const moments = fit.moments.map((sum, at) => sum * forgetting + weight * (values[at] as number) * tokens);
  const spread = error > fit.spread ? fit.spread * spreadStep : fit.spread / spreadStep;
  return {
    observations: fit.observations + 1,
    spread: Math.min(spreadLimits.max, Math.max(spreadLimits.min, spread)),
    rates: solveRates(fit.rates, products, moments),
    products,
    moments,
  };
}

/** Least squares within the ranges, each rate held to its start by its doubt, one rate at a time. */
function solveRates(
  from: readonly number[],
  products: readonly (readonly number[])[],
  moments: readonly number[],
): readonly number[] {
  const rates = [...from];
  for (let sweep = 0; sweep < sweeps; sweep += 1) {
    for (const [at, range] of ranges.entries()) {
      const hold = startVariance / range.doubt ** 2;
      let rest = (moments[at] as number) + hold * range.start;
      for (let other = 0; other < rates.length; other += 1) {
        if (other !== at) rest -= productOf(products, at, other) * (rates[other] as number);
      }
      rates[at] = Math.min(range.max, Math.max(range.min, rest / (productOf(products, at, at) + hold)));
    }
  }
  return rates;
}

function productOf(products: RateFit["products"], one: number, other: number): number {
  return products[Math.max(one, other)]?.[Math.min(one, other)] as number;
}
