export type { CatalogRow } from "./capability-rows.ts";
export {
  answerBlockFields,
  answerPrices,
  type Catalog,
  createCatalog,
  missingBeta,
  pricesAt,
  shareBeta,
} from "./catalog.ts";
export type { CapabilitiesOverride, CatalogOverrides, PricesOverride } from "./check-overrides.ts";
export type { Found } from "./find-row.ts";
export { normalizeModelName } from "./find-row.ts";
export { isOverflow, type ModelFailure, type Overflow } from "./is-overflow.ts";
export type { OverflowWording } from "./overflow-wordings.ts";
