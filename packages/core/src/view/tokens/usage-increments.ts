import { type CountedItem, promptTokens } from "./counted-item.ts";
import { addFeatures, type Features, noFeatures } from "./features.ts";

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
