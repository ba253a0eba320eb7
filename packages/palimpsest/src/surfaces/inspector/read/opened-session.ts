import { readSwitches, resolveModel } from "@palimpsest/core/internal";
import type { Prices, Result } from "@palimpsest/core/spec";
import type { InspectedSession, InspectedWindow, ItemText } from "../inspected.ts";

/** A session that somebody looks at. Nothing of it is ever written, and no lease is taken. */
export interface OpenedSession {
  /** Takes in what was added since; cheap where nothing was. Calls one after the other, also when made at once. */
  refresh(): Promise<Result<void>>;
  /** From the beginning where the generation is another one. */
  since(from: InspectedSession["from"], generation?: number): InspectedSession;
  texts(items: readonly number[]): Promise<Result<readonly ItemText[]>>;
  /** The file it stands in, to be replayed; the id of a session that stands in none. */
  readonly path: string;
  readonly watched: WatchedSource;
  /** Requests of a fork's parent that a replay has before its own. */
  readonly inheritedRequests: number;
  readonly requests: number;
  /** Changes with everything that was taken in. */
  readonly revision: string;
}

/** The source that is looked at to see whether a session has changed. */
export interface WatchedSource {
  /** Where the system tells of changes; absent where nothing is a file. */
  readonly file?: string;
  /** While it stays the same, so has the session. Never rejects. */
  stamp(): Promise<string>;
}

export const fromBeginning: InspectedSession["from"] = { request: 0, item: 0, mark: 0 };

/** The page's facts about a model besides its name; `null` where nobody knows. */
interface ModelFacts {
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
