import type { TokenCount } from "../../spec/index.ts";
import { type CountedItem, type Estimator, finalCount, measuredTokens } from "./count-tokens.ts";
import { addFeatures, type Features, noFeatures } from "./features.ts";

/** `countTokens`, kept up to date: adding and freeing cost the same however long the view is. */
export interface TokenCounter {
  /** Takes the next item, with the features it is added with. A boundary makes it forget what was before. */
  add(item: CountedItem): void;
  /** Takes in what a decision freed; a negative number brings back. */
  free(tokens: number): void;
  count(estimate: Estimator): TokenCount;
  /** The count as if nothing had been measured. */
  estimated(estimate: Estimator): TokenCount;
  /** A second one that goes on from here by itself. */
  copy(): TokenCounter;
}

/** Features since some item. */
interface FeaturesSince {
  readonly features: Features;
  readonly freed: number;
}

const nothing: FeaturesSince = { features: noFeatures, freed: 0 };

interface CounterStart {
  /** All there is. */
  readonly all: FeaturesSince;
  readonly measured?: number;
  readonly sinceMeasured: FeaturesSince;
  readonly newest?: string;
  readonly sinceNewest: FeaturesSince;
  readonly isNewestMeasured: boolean;
  readonly seen: ReadonlySet<string>;
}

/** Begins with what a view holds, where it holds something already: after a rewind or a restore. */
export function createTokenCounter(items: readonly CountedItem[] = [], freedSince = 0): TokenCounter {
  const counter = resumeFrom({
    all: nothing,
    sinceMeasured: nothing,
    sinceNewest: nothing,
    isNewestMeasured: false,
    seen: new Set(),
  });
  for (const item of items) counter.add(item);
  counter.free(freedSince);
  return counter;
}

function resumeFrom(start: CounterStart): TokenCounter {
  let { all, measured, sinceMeasured, newest, sinceNewest, isNewestMeasured } = start;
  const seen = new Set(start.seen);

  function forget(): void {
    all = nothing;
    measured = undefined;
    newest = undefined;
    isNewestMeasured = false;
    sinceMeasured = nothing;
    sinceNewest = nothing;
    seen.clear();
  }

  function begin(responseId: string | undefined): void {
    newest = responseId;
    isNewestMeasured = false;
    sinceNewest = nothing;
    if (responseId !== undefined) seen.add(responseId);
  }

  function addResponse(item: CountedItem): void {
    if (!isNewestMeasured) sinceMeasured = withItem(sinceMeasured, item);
    const tokens = measuredTokens(item);
    if (tokens === undefined) return;
    measured = tokens;
    sinceMeasured = sinceNewest;
    isNewestMeasured = true;
  }

  function addContent(item: CountedItem): void {
    sinceMeasured = withItem(sinceMeasured, item);
    sinceNewest = withItem(sinceNewest, item);
  }

  function add(item: CountedItem): void {
    if (item.isAborted === true) return;
    if (item.isBoundary === true) forget();
    all = withItem(all, item);
    const id = item.isKept === true ? undefined : item.responseId;
    const isFirst = id === undefined ? measuredTokens(item) !== undefined : !seen.has(id);
    if (isFirst) begin(id);
    if (isFirst || (id !== undefined && id === newest)) addResponse(item);
    else addContent(item);
  }

  function free(tokens: number): void {
    all = { ...all, freed: all.freed + tokens };
    sinceMeasured = { ...sinceMeasured, freed: sinceMeasured.freed + tokens };
    sinceNewest = { ...sinceNewest, freed: sinceNewest.freed + tokens };
  }

  return {
    add,
    free,
    copy: () => resumeFrom({ all, measured, sinceMeasured, newest, sinceNewest, isNewestMeasured, seen }),
    estimated: (estimate) => finalCount(undefined, all.features, all.freed, estimate),
    count: (estimate) => finalCount(measured, sinceMeasured.features, sinceMeasured.freed, estimate),
  };
}

function withItem(since: FeaturesSince, item: CountedItem): FeaturesSince {
  return { features: addFeatures(since.features, item.features), freed: since.freed };
}
