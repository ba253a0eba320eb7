import type { CapabilitiesOverride, Catalog } from "@palimpsest/core/catalog";
import { type Capabilities, PalimpsestError } from "@palimpsest/core/spec";

/** A model that the emulator offers. */
export interface EmulatedModel {
  readonly id: string;
  /** Other names for it: requests may use them, answers say the id. */
  readonly aliases?: readonly string[];
  readonly displayName?: string;
  /** ISO 8601; the epoch when nobody knows. */
  readonly createdAt?: string;
  /** Over what the catalog says. */
  readonly capabilities?: CapabilitiesOverride;
}

/** A model as requests find it. */
export interface FoundModel {
  readonly model: EmulatedModel;
  readonly capabilities: Capabilities;
}

export interface EmulatedModels {
  /** Newest first, as the Models API lists them. */
  readonly list: readonly FoundModel[];
  find(name: string): FoundModel | undefined;
  /** As chat servers find them: where no models were given, every name is one. */
  findAny(name: string): FoundModel | undefined;
}

/** Names from the SDK's list; the dates are those in the names. */
const defaultModels: readonly EmulatedModel[] = [
  { id: "claude-fable-5-1", displayName: "Claude Fable 5.1" },
  { id: "claude-opus-5-5", displayName: "Claude Opus 5.5" },
  { id: "claude-sonnet-5-5", displayName: "Claude Sonnet 5.5" },
  { id: "claude-opus-5", displayName: "Claude Opus 5" },
  { id: "claude-opus-4-6", displayName: "Claude Opus 4.6" },
  { id: "claude-sonnet-4-6", displayName: "Claude Sonnet 4.6" },
  {
    id: "claude-opus-4-5-20251101",
    aliases: ["claude-opus-4-5"],
    displayName: "Claude Opus 4.5",
    createdAt: "2025-11-01T00:00:00Z",
  },
  {
    id: "claude-haiku-4-5-20251001",
    aliases: ["claude-haiku-4-5"],
    displayName: "Claude Haiku 4.5",
    createdAt: "2025-10-01T00:00:00Z",
  },
  {
    id: "claude-sonnet-4-5-20250929",
    aliases: ["claude-sonnet-4-5"],
    displayName: "Claude Sonnet 4.5",
    createdAt: "2025-09-29T00:00:00Z",
  },
];

const claudeName = /^claude-(?:\d|(?:haiku|sonnet|opus|fable|mythos)-\d)[\w.-]*$/;

/**
 * The models given, and no others; without any, those listed above and every other name that a Claude model could have,
 * with what the catalog says or assumes about it.
 */
export function createEmulatedModels(
  catalog: Catalog,
  given?: readonly (string | EmulatedModel)[],
): EmulatedModels {
  if (given?.length === 0) {
    throw new PalimpsestError("invalid-input", "The emulator has no models.", {
      fix: "Name one, or leave `models` out.",
    });
  }
  const toFound = (model: EmulatedModel, asked = model.id): FoundModel => {
    const { value } = catalog.capabilities(asked);
    const { images, ...rest } = model.capabilities ?? {};
    return { model, capabilities: { ...value, ...rest, images: { ...value.images, ...images } } };
  };
  const list = (given ?? defaultModels).map((model) =>
    toFound(typeof model === "string" ? { id: model } : model),
  );
  const byName = new Map<string, FoundModel>();
  for (const found of list) {
    for (const name of [found.model.id, ...(found.model.aliases ?? [])]) byName.set(name, found);
  }
  const findAny = (name: string) => {
    const found = byName.get(name);
    return found !== undefined || given !== undefined ? found : toFound({ id: datedName(name) }, name);
  };
  return {
    list,
    findAny,
    find: (name) =>
      given !== undefined || byName.has(name) || claudeName.test(name) ? findAny(name) : undefined,
  };
}

/**
 * The names that the real APIs answer with where an alias was asked, as their documentation had them in November 2026.
 * Names that are not here answer for themselves.
 */
const datedNames: ReadonlyMap<string, string> = new Map([
  ["claude-opus-4-5", "claude-opus-4-5-20251101"],
  ["claude-haiku-4-5", "claude-haiku-4-5-20251001"],
  ["claude-sonnet-4-5", "claude-sonnet-4-5-20250929"],
  ["claude-opus-4-1", "claude-opus-4-1-20250805"],
  ["claude-opus-4-0", "claude-opus-4-20250514"],
  ["claude-sonnet-4-0", "claude-sonnet-4-20250514"],
  ["claude-3-7-sonnet-latest", "claude-3-7-sonnet-20250219"],
  ["claude-3-5-sonnet-latest", "claude-3-5-sonnet-20241022"],
  ["claude-3-5-haiku-latest", "claude-3-5-haiku-20241022"],
  ["gpt-5", "gpt-5-2025-08-07"],
  ["gpt-5-mini", "gpt-5-mini-2025-08-07"],
  ["gpt-5-nano", "gpt-5-nano-2025-08-07"],
  ["gpt-4.1", "gpt-4.1-2025-04-14"],
  ["gpt-4.1-mini", "gpt-4.1-mini-2025-04-14"],
  ["gpt-4.1-nano", "gpt-4.1-nano-2025-04-14"],
  ["gpt-4o", "gpt-4o-2024-08-06"],
  ["gpt-4o-mini", "gpt-4o-mini-2024-07-18"],
  ["gpt-4-turbo", "gpt-4-turbo-2024-04-09"],
  ["gpt-4", "gpt-4-0613"],
  ["gpt-3.5-turbo", "gpt-3.5-turbo-0125"],
  ["o4-mini", "o4-mini-2025-04-16"],
  ["o3", "o3-2025-04-16"],
  ["o3-mini", "o3-mini-2025-01-31"],
  ["o1", "o1-2024-12-17"],
]);

/** The dated name of an alias, and of every other name the name itself. */
export function datedName(name: string): string {
  return datedNames.get(name) ?? name;
}
