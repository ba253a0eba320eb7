import { type Features, featureNames, featureValues } from "./features.ts";
import { rateRanges } from "./rate-ranges.ts";

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
export const spreadLimits = { min: 0.01, max: 0.3 };
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
