import {
  type Capabilities,
  type ImageLimits,
  PalimpsestError,
  type Prices,
  type Rates,
} from "../spec/index.ts";
import { compileWording, type OverflowWording } from "./overflow-wordings.ts";

/** Throws `invalid-input` at a wrong value, naming its path and what would be right. */
type Check = (value: unknown, path: string) => void;

/** Throws unless the overrides are what their type says: they may come from a file that a person wrote. */
export function checkOverrides(value: unknown): asserts value is CatalogOverrides {
  overrides(value, "catalog");
}

const tokens = valueCheck(
  (value) => Number.isSafeInteger(value) && (value as number) > 0,
  "a whole number over 0, such as 200000",
);
const minimum = valueCheck(
  (value) => Number.isSafeInteger(value) && (value as number) >= 0,
  "a whole number, 0 or more",
);
const dollars = valueCheck(
  (value) => Number.isFinite(value) && (value as number) >= 0,
  "dollars per million tokens, 0 or more, such as 2.5",
);
const yesOrNo = valueCheck((value) => typeof value === "boolean", "true or false");
const name = valueCheck((value) => typeof value === "string" && value.trim() !== "", "a text, not empty");

const rates = {
  input: dollars,
  cacheWrite5m: dollars,
  cacheWrite1h: dollars,
  cacheRead: dollars,
  output: dollars,
};

const images = fields({
  maxBytes: tokens,
  maxSidePixels: tokens,
  maxCount: minimum,
  many: allOf(fields({ count: minimum, maxSidePixels: tokens }), requireFields(["count", "maxSidePixels"])),
  maxRequestBytes: tokens,
  maxPages: minimum,
});

const capabilities = fields({
  contextWindow: tokens,
  longWindow: yesOrNo,
  maxOutput: tokens,
  prefixBoundThinking: yesOrNo,
  dropsUnboundThinking: yesOrNo,
  contextManagement: yesOrNo,
  cacheEdits: yesOrNo,
  nativeCompaction: yesOrNo,
  serverCompaction: yesOrNo,
  cacheMarkers: yesOrNo,
  minCachedPrefix: minimum,
  images,
});

const secondTier = allOf(fields({ tokens, ...rates }), requireFields(["tokens", ...Object.keys(rates)]));

const prices = fields({
  ...rates,
  above: (value, path) => {
    if (value !== null) secondTier(value, path);
  },
});

const wording = allOf(
  fields({ id: name, servers: listOf(name), pattern: allOf(name, compiles) }),
  requireFields(["id", "servers", "pattern"]),
);

const overrides = fields({
  capabilities: checkPerModel(capabilities),
  prices: checkPerModel(prices),
  overflowWordings: listOf(wording),
});

function valueCheck(isRight: (value: unknown) => boolean, right: string): Check {
  return (value, path) => {
    if (!isRight(value)) refuse(path, `is ${show(value)}`, `Give ${right}.`);
  };
}

function allOf(...checks: readonly Check[]): Check {
  return (value, path) => {
    for (const check of checks) check(value, path);
  };
}

/** An object with no other fields; an absent or undefined one is not looked at. */
function fields(checks: Readonly<Record<string, Check>>): Check {
  const known = Object.keys(checks).join(", ");
  return (value, path) => {
    for (const [field, part] of partsOf(value, path)) {
      const check = Object.hasOwn(checks, field) ? checks[field] : undefined;
      if (!check) refuse(`${path}.${field}`, "is not a field", `Use one of: ${known}.`);
      else if (part !== undefined) check(part, `${path}.${field}`);
    }
  };
}

function requireFields(names: readonly string[]): Check {
  return (value, path) => {
    const present = new Map(partsOf(value, path));
    const missing = names.filter((field) => present.get(field) === undefined);
    if (missing.length > 0) refuse(path, `has no ${missing.join(", ")}`, `Give ${names.join(", ")}.`);
  };
}

function checkPerModel(check: Check): Check {
  return (value, path) => {
    for (const [model, part] of partsOf(value, path)) {
      if (model.trim() === "") refuse(path, "has an empty model name", "Name a model, or use *.");
      check(part, `${path}[${JSON.stringify(model)}]`);
    }
  };
}

function listOf(check: Check): Check {
  return (value, path) => {
    if (!Array.isArray(value)) refuse(path, `is ${show(value)}`, "Give a list.");
    else
      value.forEach((part, index) => {
        check(part, `${path}[${index}]`);
      });
  };
}

function compiles(value: unknown, path: string): void {
  try {
    compileWording({ id: path, servers: [], pattern: value as string });
  } catch (cause) {
    refuse(
      path,
      `is ${show(value)}, which is not a regular expression`,
      "Escape the special characters with a backslash.",
      cause,
    );
  }
}

function partsOf(value: unknown, path: string): readonly (readonly [string, unknown])[] {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return Object.entries(value);
  return refuse(path, `is ${show(value)}`, "Give an object.");
}

function show(value: unknown): string {
  return JSON.stringify(value) ?? String(value);
}

function refuse(path: string, problem: string, fix: string, cause?: unknown): never {
  throw new PalimpsestError("invalid-input", `${path} ${problem}. ${fix}`, { path, fix, cause });
}

export type CapabilitiesOverride = Partial<Omit<Capabilities, "images">> & {
  readonly images?: Partial<ImageLimits>;
};

/** `above` is replaced as a whole; `null` takes the second tier away. */
export type PricesOverride = Partial<Rates> & { readonly above?: Prices["above"] | null };

/**
 * A user's corrections, as plain data: a part of a settings file. Keys are model names as people write them, and `*` in
 * a key stands for anything. A key without `*` goes before one with it; after that the order given counts.
 */
export interface CatalogOverrides {
  readonly capabilities?: Readonly<Record<string, CapabilitiesOverride>>;
  readonly prices?: Readonly<Record<string, PricesOverride>>;
  /** Tried before the built-in wordings. */
  readonly overflowWordings?: readonly OverflowWording[];
}
