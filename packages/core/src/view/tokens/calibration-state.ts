import { featureNames } from "./features.ts";
import { type RateFit, spreadLimits } from "./fit-rates.ts";
import { rateRanges } from "./rate-ranges.ts";

/** Of more models, the least recently observed are forgotten. */
export const maxModels = 32;

/** A calibration as plain JSON: about 1.5 KB a model. */
export interface CalibrationState {
  readonly version: 1;
  /** By model, least recently observed first. */
  readonly models: Readonly<Record<string, RateFit>>;
}

export interface ParsedState {
  readonly fits: ReadonlyMap<string, RateFit>;
  /** What was not taken over, as one sentence for a person; absent when everything was. */
  readonly problem?: string;
}

/** Reads a stored state and never throws: what cannot be one is left out, model by model. */
export function parseCalibrationState(stored: unknown): ParsedState {
  if (!isObject(stored) || !isObject(stored.models)) return refused("it is not a calibration");
  if (stored.version !== 1) return refused(`its version is ${JSON.stringify(stored.version)}, not 1`);
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

function refused(reason: string): ParsedState {
  return {
    fits: new Map(),
    problem: `The stored calibration is not used: ${reason}. All models start afresh.`,
  };
}

function isFit(value: unknown): value is RateFit {
  if (!isObject(value)) return false;
  const { observations, spread, rates, products, moments } = value;
  return (
    Number.isSafeInteger(observations) &&
    Number(observations) >= 0 &&
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

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
