import type { Capabilities, ImageLimits, Prices, Rates } from "../spec/index.ts";
import type { OverflowWording } from "./overflow-wordings.ts";

export type CapabilitiesOverride = Partial<Omit<Capabilities, "images">> & {
  readonly images?: Partial<ImageLimits>;
};

/** `above` is replaced as a whole; `null` takes the second tier away. */
export type PricesOverride = Partial<Rates> & { readonly above?: Prices["above"] | null };

/**
 * What a user knows better, as plain data: a part of a settings file. Keys are model names as people write them, and
 * `*` in a key stands for anything. A key without `*` goes before one with it; after that the order given counts.
 */
export interface CatalogOverrides {
  readonly capabilities?: Readonly<Record<string, CapabilitiesOverride>>;
  readonly prices?: Readonly<Record<string, PricesOverride>>;
  /** Tried before the built-in wordings. */
  readonly overflowWordings?: readonly OverflowWording[];
}
