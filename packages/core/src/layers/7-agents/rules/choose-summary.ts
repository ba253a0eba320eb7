import type { Catalog } from "../../../catalog/index.ts";
import type { Prices } from "../../../spec/index.ts";
import { dollarsOf } from "../../../view/dollars.ts";

/** Of the few words that are asked for. */
export const summaryTokens = 60;

/** What a question is about: tokens of the newest steps and of the words around them. */
const newestTokens = 1_000;

/** Of the words that a question adds behind a conversation. */
const directiveTokens = 150;

/** How long what a response has written to the cache is surely there. */
export const warmMs = 4 * 60_000;

export interface SummaryModelContext {
  /** The session's own model. */
  readonly own: string;
  /** Anthropic's other models can be asked by their names, with the key that the session uses. */
  readonly hasAnthropicKey: boolean;
  readonly catalog: Pick<Catalog, "prices" | "priceRows">;
}

/** The cheapest model that can be asked and whose price is known; `null` where there is none. */
export function chooseSummaryModel({ own, hasAnthropicKey, catalog }: SummaryModelContext): string | null {
  const known = [own, ...(hasAnthropicKey ? anthropicNames(catalog) : [])].flatMap((name) => {
    const { known: isKnown, value } = catalog.prices(name);
    return isKnown ? [{ name, dollars: newestDollars(value, newestTokens) }] : [];
  });
  const [first, ...others] = known;
  if (!first) return null;
  return others.reduce((best, one) => (one.dollars < best.dollars ? one : best), first).name;
}

/** Models whose rows were checked last: older ones may be served no longer. */
function anthropicNames({ priceRows }: Pick<Catalog, "priceRows">): readonly string[] {
  const rows = priceRows.filter(({ id }) => /^(?:fable|opus|sonnet|haiku)-/.test(id));
  const newest = rows
    .map(({ asOf }) => asOf)
    .toSorted()
    .at(-1);
  return rows.filter(({ asOf }) => asOf === newest).map(({ id }) => `claude-${id.replace(".", "-")}`);
}

export interface SummaryContext {
  /** Of the question with the newest steps. */
  readonly newestTokens: number;
  /** Of the agent's own conversation as it was answered last. */
  readonly prefixTokens: number;
  /** Since that answer. */
  readonly idleMs: number;
  /** Of the agent's own model; absent: not known. */
  readonly own?: Prices;
  /** Of the model that is asked about the newest steps; absent: not known. */
  readonly cheap?: Prices;
}

/**
 * Whether a model is asked about the newest steps, or the agent's own one behind its cached conversation: whatever
 * costs less. Without both prices, and where the cache may be gone, the newest steps are it.
 */
export function decideSummaryBasis(scene: SummaryContext): "newest" | "prefix" {
  const { own, cheap, prefixTokens, idleMs } = scene;
  if (!own || !cheap || idleMs > warmMs) return "newest";
  const behind = dollarsOf(
    { input: 0, cacheRead: prefixTokens, cacheCreation: directiveTokens, output: summaryTokens },
    own,
  );
  return behind < newestDollars(cheap, scene.newestTokens) ? "prefix" : "newest";
}

function newestDollars(prices: Prices, tokens: number): number {
  return dollarsOf({ input: tokens, cacheRead: 0, cacheCreation: 0, output: summaryTokens }, prices);
}
