export { type Catalog, createCatalog } from "./catalog.ts";
export type { CapabilitiesOverride, CatalogOverrides, PricesOverride } from "./catalog-overrides.ts";
export type { CatalogRow } from "./catalog-row.ts";
export type { Found } from "./find-row.ts";
export { isOverflow, type ModelFailure, type Overflow } from "./is-overflow.ts";
export { normalizeModelName } from "./normalize-model-name.ts";
export type { OverflowWording } from "./overflow-wordings.ts";
export { pricesAt } from "./prices-at.ts";
