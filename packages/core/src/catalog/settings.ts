import { structured } from "../settings/declare.ts";
import { showValue } from "../settings/explain-mismatch.ts";
import {
  fieldsOf,
  listOf,
  numberFrom,
  orNull,
  refusing,
  switchSchema,
  tableOf,
  textSchema,
  wholeNumber,
} from "../settings/schemas.ts";
import type {
  CapabilitySettings,
  ImageLimits,
  PriceSettings,
  Prices,
  WordingSettings,
} from "../spec/index.ts";
import { compileWording } from "./overflow-wordings.ts";

type ManyImages = NonNullable<ImageLimits["many"]>;
type SecondTier = NonNullable<Prices["above"]>;

const dollars = numberFrom(0);

const rates = {
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
  longWindow: switchSchema,
  maxOutput: wholeNumber(1),
  prefixBoundThinking: switchSchema,
  dropsUnboundThinking: switchSchema,
  contextManagement: switchSchema,
  cacheEdits: switchSchema,
  nativeCompaction: switchSchema,
  serverCompaction: switchSchema,
  cacheMarkers: switchSchema,
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

const pattern = refusing(textSchema, (text) => {
  try {
    compileWording({ id: "", servers: [], pattern: text });
    return undefined;
  } catch {
    const fix = "escape its special characters with two backslashes";
    return { problem: `${showValue(text)} is not a regular expression`, fix };
  }
});

const wording = fieldsOf<WordingSettings>({ id: textSchema, servers: listOf(textSchema), pattern }, [
  "id",
  "servers",
  "pattern",
]);

/** Corrections to the data about models. A value that passes here passes in `createCatalog`. */
export const catalogSettings = {
  capabilities: structured(
    tableOf(capabilities),
    "corrections to what models can do and hold, by model name; `*` matches anything",
    { example: { "my-model*": { contextWindow: 128_000, maxOutput: 16_000 } } },
  ),
  prices: structured(
    tableOf(fieldsOf<PriceSettings>({ ...rates, above: orNull(secondTier) })),
    "prices of models, in dollars per million tokens",
    { example: { "my-model*": { input: 1, output: 5 } } },
  ),
  overflowWordings: structured(
    listOf(wording),
    "error wordings of servers for a prompt that is too long, tried before the built-in ones",
    { example: [{ id: "my-server", servers: ["localhost"], pattern: "prompt is too long" }] },
  ),
};
