import type { Prices } from "../spec/index.ts";
import type { Catalog } from "./catalog.ts";

/**
 * What a response is paid by: the prices of the model that it names where the catalog has them, since a router may have
 * asked another one; else those of the model that was asked.
 */
export function answerPrices(catalog: Catalog, answered: string | undefined, asked: string): Prices {
  const named = answered ? catalog.prices(answered) : undefined;
  return named?.known ? named.value : catalog.prices(asked).value;
}
