import type { Capabilities, ImageLimits } from "../spec/index.ts";

/** A request may have 32 MB: here in the smaller of the two readings. */
const claudeImages: ImageLimits = {
  maxBytes: 5_242_880,
  maxSidePixels: 8_000,
  maxCount: 100,
  many: { count: 20, maxSidePixels: 2_000 },
  maxRequestBytes: 32_000_000,
  maxPages: 100,
};

/** OpenAI and Google scale images down themselves and name no limit of pixels. */
const scaledImages: ImageLimits = {
  maxBytes: 20_971_520,
  maxSidePixels: 65_535,
  maxCount: 500,
  maxRequestBytes: 50_000_000,
};

const claude: Capabilities = {
  contextWindow: 200_000,
  maxOutput: 64_000,
  prefixBoundThinking: false,
  dropsUnboundThinking: false,
  contextManagement: true,
  cacheEdits: false,
  nativeCompaction: false,
  serverCompaction: false,
  cacheMarkers: true,
  minCachedPrefix: 1_024,
  images: claudeImages,
};

const claudeLong: Capabilities = {
  ...claude,
  contextWindow: 1_000_000,
  maxOutput: 128_000,
  nativeCompaction: true,
  serverCompaction: true,
  minCachedPrefix: 4_096,
  images: { ...claudeImages, maxCount: 600, maxPages: 600 },
};

const claudeNewest: Capabilities = {
  ...claudeLong,
  prefixBoundThinking: true,
  dropsUnboundThinking: true,
  minCachedPrefix: 512,
};

const claudeBefore4: Capabilities = { ...claude, maxOutput: 8_192, contextManagement: false };

const openai: Capabilities = {
  contextWindow: 272_000,
  maxOutput: 128_000,
  prefixBoundThinking: false,
  dropsUnboundThinking: false,
  contextManagement: false,
  cacheEdits: false,
  nativeCompaction: false,
  serverCompaction: false,
  cacheMarkers: false,
  minCachedPrefix: 1_024,
  images: scaledImages,
};

const gemini: Capabilities = {
  ...openai,
  contextWindow: 1_048_576,
  maxOutput: 65_536,
  minCachedPrefix: 4_096,
  images: { ...scaledImages, maxCount: 3_600, maxRequestBytes: 100_000_000 },
};

const newestAssumed = [
  "contextWindow",
  "maxOutput",
  "prefixBoundThinking",
  "dropsUnboundThinking",
  "contextManagement",
  "nativeCompaction",
  "serverCompaction",
  "minCachedPrefix",
  "images",
] as const;

/** Cache edits are in no public API: false everywhere, and there to be overridden for an endpoint that has them. */
export const capabilityRows: readonly CatalogRow<Capabilities>[] = [
  {
    id: "fable-5.1",
    pattern: /(?:^|claude-)fable-5\.1(?!\d)/,
    asOf: "2026-11",
    value: claudeNewest,
    assumed: newestAssumed,
  },
  {
    id: "opus-5.5",
    pattern: /(?:^|claude-)opus-5\.5(?!\d)/,
    asOf: "2026-11",
    value: claudeNewest,
    assumed: newestAssumed,
  },
  {
    id: "sonnet-5.5",
    pattern: /(?:^|claude-)sonnet-5\.5(?!\d)/,
    asOf: "2026-11",
    value: { ...claudeNewest, maxOutput: 64_000 },
    assumed: newestAssumed,
  },
  {
    id: "opus-5",
    pattern: /(?:^|claude-)opus-5(?![.\d])/,
    asOf: "2026-11",
    value: claudeLong,
    assumed: newestAssumed,
  },
  {
    id: "opus-4.6",
    pattern: /(?:^|claude-)opus-4\.[6-9](?!\d)/,
    asOf: "2026-11",
    value: claudeLong,
    assumed: ["minCachedPrefix", "images"],
  },
  {
    id: "opus-4.5",
    pattern: /(?:^|claude-)opus-4\.5(?!\d)/,
    asOf: "2026-11",
    value: { ...claude, minCachedPrefix: 4_096 },
    assumed: [],
  },
  {
    id: "opus-4",
    pattern: /(?:^|claude-)opus-4(?:\.[01])?(?![.\d])/,
    asOf: "2026-11",
    value: { ...claude, maxOutput: 32_000 },
    assumed: [],
  },
  {
    id: "sonnet-4.6",
    pattern: /(?:^|claude-)sonnet-4\.[6-9](?!\d)/,
    asOf: "2026-11",
    value: { ...claudeLong, maxOutput: 64_000, minCachedPrefix: 2_048 },
    assumed: ["minCachedPrefix", "images"],
  },
  {
    id: "sonnet-4",
    pattern: /(?:^|claude-)sonnet-4(?:\.[0-5])?(?![.\d])/,
    asOf: "2026-11",
    value: { ...claude, longWindow: true },
    assumed: [],
    note: "Takes 1,000,000 tokens with the 1M beta: name the model with the suffix [1m] then.",
  },
  {
    id: "haiku-4.5",
    pattern: /(?:^|claude-)haiku-4\.5(?!\d)/,
    asOf: "2026-11",
    value: { ...claude, minCachedPrefix: 4_096 },
    assumed: [],
  },
  {
    id: "sonnet-3.7",
    pattern: /(?:^|claude-)(?:3\.7-sonnet|sonnet-3\.7)(?!\d)/,
    asOf: "2025-12",
    value: { ...claudeBefore4, maxOutput: 64_000 },
    assumed: [],
  },
  {
    id: "sonnet-3.5",
    pattern: /(?:^|claude-)(?:3\.5-sonnet|sonnet-3\.5)(?!\d)/,
    asOf: "2025-12",
    value: claudeBefore4,
    assumed: [],
  },
  {
    id: "haiku-3.5",
    pattern: /(?:^|claude-)(?:3\.5-haiku|haiku-3\.5)(?!\d)/,
    asOf: "2025-12",
    value: { ...claudeBefore4, minCachedPrefix: 2_048 },
    assumed: [],
  },
  {
    id: "gpt-5.6",
    pattern: /^gpt-5\.6(?!\d)(?!.*-(?:mini|nano|pro)\b)/,
    asOf: "2026-11",
    value: { ...openai, contextWindow: 922_000 },
    assumed: ["contextWindow", "maxOutput", "minCachedPrefix", "images"],
    note: "The window is what a prompt may have: 1,050,000 less the longest answer.",
  },
  {
    id: "gpt-5",
    pattern: /^gpt-5(?:\.[0-3])?(?![.\d])/,
    asOf: "2025-12",
    value: openai,
    assumed: ["images"],
    note: "The window is what a prompt may have: 400,000 less the longest answer.",
  },
  {
    id: "gpt-4.1",
    pattern: /^gpt-4\.1(?!\d)/,
    asOf: "2025-12",
    value: { ...openai, contextWindow: 1_047_576, maxOutput: 32_768 },
    assumed: ["images"],
  },
  {
    id: "gpt-4o",
    pattern: /^gpt-4o(?![a-z])/,
    asOf: "2025-12",
    value: { ...openai, contextWindow: 128_000, maxOutput: 16_384 },
    assumed: ["images"],
  },
  {
    id: "gemini-3.1-pro",
    pattern: /^gemini-3\.1-pro/,
    asOf: "2026-11",
    value: gemini,
    assumed: ["contextWindow", "maxOutput", "minCachedPrefix", "images"],
  },
  {
    id: "gemini-2.5",
    pattern: /^gemini-(?:2\.5|3)(?![.\d])/,
    asOf: "2025-12",
    value: gemini,
    assumed: ["minCachedPrefix", "images"],
  },
];

/**
 * The capabilities of a model no row knows. Each value errs on the safe side: the usual window of 200,000, just enough
 * output for a summary, thinking treated as bound, nothing server-side, the largest cache minimum, the strictest image
 * limits.
 */
export const unknownCapabilities: Capabilities = {
  contextWindow: 200_000,
  maxOutput: 20_000,
  prefixBoundThinking: true,
  dropsUnboundThinking: false,
  contextManagement: false,
  cacheEdits: false,
  nativeCompaction: false,
  serverCompaction: false,
  cacheMarkers: false,
  minCachedPrefix: 4_096,
  images: claudeImages,
};

/** Facts about the models whose normalised name matches; the first row that matches counts. */
export interface CatalogRow<Value extends object> {
  readonly id: string;
  /** Tested on `normalizeModelName`. Matches the row's own id too. */
  readonly pattern: RegExp;
  /** The month in which the row was last checked. */
  readonly asOf: string;
  readonly value: Value;
  /** Fields that no source gave: chosen with care, not looked up. */
  readonly assumed: readonly (keyof Value & string)[];
  /** Where sources differ, and what the row leaves out. */
  readonly note?: string;
}
