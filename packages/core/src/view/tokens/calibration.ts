import { normalizeModelName } from "../../catalog/index.ts";
import {
  type CalibrationState,
  fitObservation,
  maxModels,
  parseCalibrationState,
  type RateFit,
  tokensByRates,
  unseenFit,
} from "./calibration-state.ts";
import { type CountedItem, promptTokens } from "./count-tokens.ts";
import { plainEstimate, type TokenEstimate } from "./estimate.ts";
import { addFeatures, type FeatureName, type Features, featureNames, noFeatures } from "./features.ts";

/** Learns, per model, how many tokens content has, from what responses said their prompts were. */
export interface Calibration {
  /** Takes in that content with these features had so many tokens. Outliers are weighed down or left out. */
  observe(model: string, features: Features, tokens: number): void;
  /**
   * By the model's own rates once enough was seen of it, by the plain rule before. A name that nothing was learned under
   * yet goes on with what another name of the same model has learned.
   */
  estimate(model: string, features: Features): TokenEstimate;
  /** Tokens per unit of each feature; absent while the plain rule is used. */
  rates(model: string): Readonly<Record<FeatureName, number>> | undefined;
  /** For storing: `createCalibration` of it goes on exactly where this one stands. */
  state(): CalibrationState;
  /** Why a stored state was not taken over, wholly or in part. */
  readonly problem?: string;
}

/** Observations of a model before its rates are used. */
export const minObservations = 5;

/** `stored` is what `state()` gave, after any trip through JSON. A bad one is not used, and `problem` says so. */
export function createCalibration(stored?: unknown): Calibration {
  const { fits: known, problem } = stored === undefined ? { fits: [] } : parseCalibrationState(stored);
  const fits = new Map<string, RateFit>(known);

  /** Asked for one model again and again. */
  let latest = { model: "", name: "" };

  function nameOf(model: string): string {
    if (model !== latest.model) latest = { model, name: tokenizerName(model) };
    return latest.name;
  }

  /** The fit of another name of the model; found once for a name, until something is observed. */
  let relative: { readonly name: string; readonly fit: RateFit | undefined } | null = null;

  function fitOf(name: string): RateFit | undefined {
    const own = fits.get(name);
    if (own) return own;
    if (relative?.name !== name) relative = { name, fit: mostSeen(fits, name) };
    return relative.fit;
  }

  function ready(model: string): RateFit | undefined {
    const fit = fitOf(nameOf(model));
    return fit !== undefined && fit.observations >= minObservations ? fit : undefined;
  }

  return {
    observe(model, features, tokens) {
      const name = nameOf(model);
      const before = fitOf(name) ?? unseenFit;
      const after = fitObservation(before, features, tokens);
      if (after === before) return;
      relative = null;
      fits.delete(name);
      fits.set(name, after);
      for (const oldest of fits.keys()) {
        if (fits.size <= maxModels) break;
        fits.delete(oldest);
      }
    },
    estimate(model, features) {
      const fit = ready(model);
      if (fit === undefined) return plainEstimate(features);
      return { tokens: Math.ceil(tokensByRates(fit.rates, features)), source: "calibrated" };
    },
    rates(model) {
      const fit = ready(model);
      if (fit === undefined) return undefined;
      const entries = featureNames.map((name, at) => [name, fit.rates[at] as number] as const);
      return Object.fromEntries(entries) as Record<FeatureName, number>;
    },
    state: () => ({ version: 1, models: Object.fromEntries(fits) }),
    ...(problem !== undefined && { problem }),
  };
}

/** Of all names of a model the one that has seen most: aliases, dates, regions and paths are no part of a model. */
function mostSeen(fits: ReadonlyMap<string, RateFit>, name: string): RateFit | undefined {
  const model = normalizeModelName(name);
  return [...fits]
    .filter(([other]) => normalizeModelName(other) === model)
    .map(([, fit]) => fit)
    .reduce<RateFit | undefined>(
      (most, fit) => (fit.observations > (most?.observations ?? 0) ? fit : most),
      undefined,
    );
}

/** A suffix such as `[1m]` names a window, not another model. */
function tokenizerName(model: string): string {
  return model.endsWith("]") ? model.replace(/\[[^[\]]*\]$/, "") : model;
}

/** By how much the prompt grew from one response to the next, and what was added between: a calibration's food. */
export interface UsageIncrement {
  readonly model: string;
  /** The earlier response's own content and what followed it, up to the later response. */
  readonly features: Features;
  /** May be negative: models drop the thinking of former turns. */
  readonly tokens: number;
}

export interface UsageIncrements {
  /** Takes the next item of the main chain; gives an increment with the first usage of a response. */
  add(item: CountedItem): UsageIncrement | undefined;
  /** To be called where the view changes otherwise than by adding (any decision): the next increment is skipped. */
  restart(): void;
}

interface Response {
  readonly responseId: string | undefined;
  readonly model: string | undefined;
  prompt: number | undefined;
  features: Features;
}

/** Pairs neighbouring responses of one model. A response counts once, however many entries it has. */
export function createUsageIncrements(): UsageIncrements {
  let earlier: Response | undefined;
  let current: Response | undefined;

  function restart(): void {
    earlier = undefined;
    current = undefined;
  }

  function measure(response: Response, prompt: number): UsageIncrement | undefined {
    const { model } = response;
    const before = earlier;
    response.prompt = prompt;
    earlier = undefined;
    if (before?.prompt === undefined || model === undefined || before.model !== model) return undefined;
    return { model, features: before.features, tokens: prompt - before.prompt };
  }

  return {
    add(item) {
      if (item.isAborted === true) return undefined;
      if (item.isBoundary === true) restart();
      if (isResponse(item) && (current === undefined || !isSame(current, item))) {
        earlier = current;
        current = { responseId: item.responseId, model: item.model, prompt: undefined, features: noFeatures };
      }
      if (current === undefined) return undefined;
      current.features = addFeatures(current.features, item.features);
      const prompt = item.usage === undefined || !isResponse(item) ? 0 : promptTokens(item.usage);
      return prompt > 0 && current.prompt === undefined ? measure(current, prompt) : undefined;
    },
    restart,
  };
}

/** A locally made answer has usage that is all zero: to the model it is content like any other. */
function isResponse(item: CountedItem): boolean {
  if (item.isKept === true) return false;
  return item.usage === undefined ? item.responseId !== undefined : promptTokens(item.usage) > 0;
}

function isSame(response: Response, item: CountedItem): boolean {
  return item.responseId !== undefined && item.responseId === response.responseId;
}
