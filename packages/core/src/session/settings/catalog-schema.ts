import { compileWording } from "../../catalog/overflow-wordings.ts";
import type {
  CapabilitySettings,
  CatalogSettings,
  ImageLimits,
  PriceSettings,
  Prices,
  Rates,
  WordingSettings,
} from "../../spec/index.ts";
import {
  fieldsOf,
  listOf,
  numberFrom,
  orNull,
  type Schema,
  tableOf,
  text,
  toggle,
  wholeNumber,
} from "./schema.ts";

type ManyImages = NonNullable<ImageLimits["many"]>;
type SecondTier = NonNullable<Prices["above"]>;

const dollars = numberFrom(0);

const rates: { readonly [Name in keyof Rates]: Schema } = {
  input: dollars,
  cacheWrite5m: dollars,
  cacheWrite1h: dollars,
  cacheRead: dollars,
  output: dollars,
};

const images = fieldsOf<ImageLimits>({
  maxBytes: wholeNumber(1),
  maxSidePixels: wholeNumber(1),
  maxCount: wholeNumber(0),
  many: fieldsOf<ManyImages>({ count: wholeNumber(0), maxSidePixels: wholeNumber(1) }, [
    "count",
    "maxSidePixels",
  ]),
  maxRequestBytes: wholeNumber(1),
  maxPages: wholeNumber(0),
});

const capabilities = fieldsOf<CapabilitySettings>({
  contextWindow: wholeNumber(1),
  longWindow: toggle,
  maxOutput: wholeNumber(1),
  prefixBoundThinking: toggle,
  dropsUnboundThinking: toggle,
  contextManagement: toggle,
  cacheEdits: toggle,
  nativeCompaction: toggle,
  serverCompaction: toggle,
  cacheMarkers: toggle,
  minCachedPrefix: wholeNumber(0),
  images,
});

const secondTier = fieldsOf<SecondTier>({ tokens: wholeNumber(1), ...rates }, [
  "tokens",
  "input",
  "cacheWrite5m",
  "cacheWrite1h",
  "cacheRead",
  "output",
]);

const pattern: Schema = {
  kind: "text",
  refuse(text) {
    try {
      compileWording({ id: "", servers: [], pattern: text });
      return undefined;
    } catch {
      const fix = "escape its special characters with two backslashes";
      return { problem: `${JSON.stringify(text)} is not a regular expression`, fix };
    }
  },
};

const wording = fieldsOf<WordingSettings>({ id: text, servers: listOf(text), pattern }, [
  "id",
  "servers",
  "pattern",
]);

/** The schema of `createCatalog`: a value that passes here passes there. */
export const catalogSchema: Schema = fieldsOf<CatalogSettings>({
  capabilities: tableOf(capabilities),
  prices: tableOf(fieldsOf<PriceSettings>({ ...rates, above: orNull(secondTier) })),
  overflowWordings: listOf(wording),
});
