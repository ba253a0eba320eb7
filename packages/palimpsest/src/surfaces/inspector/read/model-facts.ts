import { readSwitches, resolveModel } from "@palimpsest/core/internal";
import type { Prices } from "@palimpsest/core/spec";
import type { InspectedWindow } from "../inspected.ts";

/** What the page shows of a model besides its name; `null` where nobody knows. */
export interface ModelFacts {
  readonly prices: Prices | null;
  readonly window: InspectedWindow | null;
}

export type DescribeModel = (model: string) => ModelFacts;

/** By the catalog, and by what the environment sets for windows and thresholds. */
export function createModelFacts(
  environment: Readonly<Record<string, string | undefined>> = {},
): DescribeModel {
  const known = new Map<string, ModelFacts>();
  const switches = readSwitches({ environment });

  function describe(model: string): ModelFacts {
    const { catalog, thresholds } = resolveModel({ model, environment, switches });
    const prices = catalog.prices(model);
    const isKnown = catalog.capabilities(model).known;
    const lines = [
      { name: "warning", tokens: thresholds.warning },
      ...(thresholds.autoEnabled ? [{ name: "compaction", tokens: thresholds.auto }] : []),
      { name: "blocking", tokens: thresholds.blocking },
    ];
    return {
      prices: prices.known ? prices.value : null,
      window: isKnown ? { tokens: thresholds.window, thresholds: lines } : null,
    };
  }

  return (model) => {
    const facts = known.get(model) ?? describe(model);
    known.set(model, facts);
    return facts;
  };
}
