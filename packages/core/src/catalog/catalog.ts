import type { Capabilities, Prices } from "../spec/index.ts";
import { capabilityRows, unknownCapabilities } from "./capability-rows.ts";
import type { CapabilitiesOverride, CatalogOverrides, PricesOverride } from "./catalog-overrides.ts";
import type { CatalogRow } from "./catalog-row.ts";
import { checkOverrides } from "./check-overrides.ts";
import { compileWording } from "./compile-wording.ts";
import { type CatalogTable, createRowFinder, type Found } from "./find-row.ts";
import { isOverflow, type ModelFailure, type Overflow } from "./is-overflow.ts";
import { overflowWordings } from "./overflow-wordings.ts";
import { priceRows, unknownPrices } from "./price-rows.ts";

/** What is known about models by their names: total, so every name has an answer, and the answer says how sure it is. */
export interface Catalog {
  capabilities(model: string): Found<Capabilities>;
  prices(model: string): Found<Prices>;
  isOverflow(failure: ModelFailure): Overflow;
  /** The built-in rows, for lists; their ids are names that `capabilities` and `prices` find. */
  readonly capabilityRows: readonly CatalogRow<Capabilities>[];
  readonly priceRows: readonly CatalogRow<Prices>[];
}

/** Throws `invalid-input` when the overrides are wrong, naming the path and the fix. */
export function createCatalog(overrides: CatalogOverrides = {}): Catalog {
  checkOverrides(overrides);
  const capabilities: CatalogTable<Capabilities> = {
    rows: capabilityRows,
    unknown: unknownCapabilities,
    essential: ["contextWindow"],
    overrides: overrides.capabilities ?? {},
    merge: mergeCapabilities,
  };
  const prices: CatalogTable<Prices> = {
    rows: priceRows,
    unknown: unknownPrices,
    essential: ["input", "cacheWrite5m", "cacheWrite1h", "cacheRead", "output"],
    overrides: overrides.prices ?? {},
    merge: mergePrices,
  };
  const wordings = [...(overrides.overflowWordings ?? []), ...overflowWordings].map(compileWording);
  return {
    capabilities: createRowFinder(capabilities),
    prices: createRowFinder(prices),
    isOverflow: (failure) => isOverflow(failure, wordings),
    capabilityRows,
    priceRows,
  };
}

function mergeCapabilities(value: Capabilities, override: CapabilitiesOverride): Capabilities {
  const { images, ...given } = override;
  return {
    ...value,
    ...withoutUndefined(given),
    images: { ...value.images, ...withoutUndefined(images ?? {}) },
  };
}

function mergePrices(value: Prices, override: PricesOverride): Prices {
  const { above: builtIn, ...rates } = value;
  const { above = builtIn, ...given } = override;
  return { ...rates, ...withoutUndefined(given), ...(above ? { above } : {}) };
}

function withoutUndefined<Part extends object>(part: Part): Part {
  return Object.fromEntries(Object.entries(part).filter(([, value]) => value !== undefined)) as Part;
}
