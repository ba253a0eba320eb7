import type { Capabilities, Prices, Rates } from "../spec/index.ts";
import { type CatalogRow, capabilityRows, unknownCapabilities } from "./capability-rows.ts";
import {
  type CapabilitiesOverride,
  type CatalogOverrides,
  checkOverrides,
  type PricesOverride,
} from "./check-overrides.ts";
import { type CatalogTable, createRowFinder, type Found } from "./find-row.ts";
import { builtInWordings, isOverflow, type ModelFailure, type Overflow } from "./is-overflow.ts";
import { compileWording } from "./overflow-wordings.ts";

/** Facts about models by their names: total, so every name has an answer, and the answer says how sure it is. */
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
  const wordings = [...(overrides.overflowWordings ?? []).map(compileWording), ...builtInWordings];
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

const sonnet: Prices = { input: 3, cacheWrite5m: 3.75, cacheWrite1h: 6, cacheRead: 0.3, output: 15 };
const opus: Prices = { input: 5, cacheWrite5m: 6.25, cacheWrite1h: 10, cacheRead: 0.5, output: 25 };

const priceRows: readonly CatalogRow<Prices>[] = [
  {
    id: "fable-5.1",
    pattern: /(?:^|claude-)fable-5\.1(?!\d)/,
    asOf: "2026-11",
    value: { input: 10, cacheWrite5m: 12.5, cacheWrite1h: 20, cacheRead: 0.25, output: 50 },
    assumed: [],
  },
  {
    id: "opus-5.5",
    pattern: /(?:^|claude-)opus-5\.5(?!\d)/,
    asOf: "2026-11",
    value: { input: 4, cacheWrite5m: 5, cacheWrite1h: 8, cacheRead: 0.2, output: 20 },
    assumed: [],
  },
  {
    id: "sonnet-5.5",
    pattern: /(?:^|claude-)sonnet-5\.5(?!\d)/,
    asOf: "2026-11",
    value: { input: 2, cacheWrite5m: 2.5, cacheWrite1h: 4, cacheRead: 0.2, output: 10 },
    assumed: [],
    note: "Sources differ on reading from the cache, 0.20 or 0.10: the higher one stands here.",
  },
  {
    id: "opus-4.5",
    pattern: /(?:^|claude-)opus-(?:4\.[5-9]|5)(?![.\d])/,
    asOf: "2026-11",
    value: opus,
    assumed: [],
    note: "Opus 4.5 to 5.",
  },
  {
    id: "sonnet-4",
    pattern: /(?:^|claude-)sonnet-4(?:\.\d)?(?![.\d])/,
    asOf: "2026-11",
    value: sonnet,
    assumed: [],
    note: "Sonnet 4 and 4.5 cost more over 200,000 tokens with the 1M beta (6 in, 22.50 out): not in this row.",
  },
  {
    id: "haiku-4.5",
    pattern: /(?:^|claude-)haiku-4\.5(?!\d)/,
    asOf: "2026-11",
    value: { input: 1, cacheWrite5m: 1.25, cacheWrite1h: 2, cacheRead: 0.1, output: 5 },
    assumed: [],
  },
  {
    id: "opus-4",
    pattern: /(?:^|claude-)opus-4(?:\.[01])?(?![.\d])/,
    asOf: "2025-12",
    value: { input: 15, cacheWrite5m: 18.75, cacheWrite1h: 30, cacheRead: 1.5, output: 75 },
    assumed: [],
  },
  {
    id: "sonnet-3.7",
    pattern: /(?:^|claude-)(?:3\.[57]-sonnet|sonnet-3\.[57])(?!\d)/,
    asOf: "2025-12",
    value: sonnet,
    assumed: [],
  },
  {
    id: "haiku-3.5",
    pattern: /(?:^|claude-)(?:3\.5-haiku|haiku-3\.5)(?!\d)/,
    asOf: "2025-12",
    value: { input: 0.8, cacheWrite5m: 1, cacheWrite1h: 1.6, cacheRead: 0.08, output: 4 },
    assumed: [],
  },
  {
    id: "gpt-5.6",
    pattern: /^gpt-5\.6(?!\d)(?!.*-(?:mini|nano|pro)\b)/,
    asOf: "2026-11",
    value: {
      input: 2,
      cacheWrite5m: 2.5,
      cacheWrite1h: 2.5,
      cacheRead: 0.2,
      output: 10,
      above: { tokens: 272_000, input: 4, cacheWrite5m: 5, cacheWrite1h: 5, cacheRead: 0.4, output: 15 },
    },
    assumed: ["above"],
    note: "Over 272,000 tokens the list gives input and output; writing and reading are taken to grow with input.",
  },
  {
    id: "gemini-3.1-pro",
    pattern: /^gemini-3\.1-pro/,
    asOf: "2026-11",
    value: {
      input: 2,
      cacheWrite5m: 2,
      cacheWrite1h: 2,
      cacheRead: 0.2,
      output: 12,
      above: { tokens: 200_000, input: 4, cacheWrite5m: 4, cacheWrite1h: 4, cacheRead: 0.4, output: 18 },
    },
    assumed: ["above"],
    note: "Over 200,000 tokens the list gives input and output; writing and reading are taken to grow with input.",
  },
];

/** What a model no row knows is taken to cost: as Opus 4.5 to 5, so that a budget in dollars ends too early, not too late. */
const unknownPrices: Prices = opus;

/**
 * The prices of a response: those of the model that it names where the catalog has them, since a router may have asked
 * another one; else those of the model that was asked.
 */
export function answerPrices(catalog: Catalog, answered: string | undefined, asked: string): Prices {
  const named = answered ? catalog.prices(answered) : undefined;
  return named?.known ? named.value : catalog.prices(asked).value;
}

/** The rates of a request whose input, cached parts counted, has so many tokens: one tier holds for all of it. */
export function pricesAt(prices: Prices, inputTokens: number): Rates {
  const { above } = prices;
  return above !== undefined && inputTokens > above.tokens ? above : prices;
}

/**
 * The blocks that the Messages API takes back in an assistant's message, with their fields, by the SDK's
 * `BetaContentBlockParam` of November 2026. It refuses a request with any other.
 */
const answerBlocks: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries({
    advisor_tool_result: ["tool_use_id", "content"],
    bash_code_execution_tool_result: ["tool_use_id", "content"],
    code_execution_tool_result: ["tool_use_id", "content"],
    compaction: ["content", "encrypted_content", "signature", "tool_changes"],
    container_upload: ["file_id"],
    fallback: ["from", "to", "trigger"],
    mcp_tool_listing: ["mcp_server_name", "tools"],
    mcp_tool_result: ["tool_use_id", "content", "is_error"],
    mcp_tool_use: ["id", "name", "input", "server_name"],
    redacted_thinking: ["data"],
    server_tool_use: ["id", "name", "input", "caller"],
    text: ["text", "citations"],
    text_editor_code_execution_tool_result: ["tool_use_id", "content"],
    thinking: ["thinking", "signature"],
    tool_search_tool_result: ["tool_use_id", "content"],
    tool_use: ["id", "name", "input", "caller", "toolset_name"],
    web_fetch_tool_result: ["tool_use_id", "content", "caller"],
    web_search_tool_result: ["tool_use_id", "content", "caller"],
  }).map(([type, fields]) => [type, new Set(["type", "cache_control", ...fields])]),
);

/** The fields that a block of an answer may have when it is sent back; absent where no such block may be. */
export function answerBlockFields(type: string): ReadonlySet<string> | undefined {
  return answerBlocks.get(type);
}

/**
 * Blocks of answers that the API takes back only in a request that has a beta header: its name without the date. Blocks
 * of compaction are not among them: the session adds their headers by itself.
 */
const answerBlockBetas: ReadonlyMap<string, string> = new Map(
  Object.entries({
    advisor_tool_result: "advisor-tool",
    fallback: "server-side-fallback",
    mcp_tool_listing: "mcp-client",
    mcp_tool_result: "mcp-client",
    mcp_tool_use: "mcp-client",
  }),
);

/** The beta, without its date, that a block of an answer needs and that is not among these; absent: it needs none. */
export function missingBeta(type: string, betas: readonly string[]): string | undefined {
  const beta = answerBlockBetas.get(type);
  return beta === undefined || betas.some((given) => given.startsWith(`${beta}-20`)) ? undefined : beta;
}

/** Whether both blocks need the same beta. */
export function shareBeta(one: string, other: string): boolean {
  return answerBlockBetas.has(one) && answerBlockBetas.get(one) === answerBlockBetas.get(other);
}
