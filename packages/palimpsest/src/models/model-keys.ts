import type { Model } from "@palimpsest/core/spec";

const keysByModel = new WeakMap<Model, () => readonly (string | null | undefined)[]>();

/** Remembers what a model is asked with, beside the model: nobody who has it can read it. */
export function rememberKeys(model: Model, keys: () => readonly (string | null | undefined)[]): Model {
  keysByModel.set(model, keys);
  return model;
}

/** The keys of a model that was made here; none of any other. */
export function keysOf(model: Model): readonly string[] {
  return (keysByModel.get(model)?.() ?? []).filter((key): key is string => typeof key === "string");
}

type ProviderName = "anthropic" | "openai";

/** Names that say by themselves whose models they are. */
const anthropicNames = /^(?:claude|anthropic[./])/i;

const prefixed = /^(?<provider>anthropic|openai):(?<bare>.+)$/;

/** A model's name without the provider in front of it, and that provider; `undefined` where none is named. */
export function splitProvider(name: string): { readonly provider?: ProviderName; readonly bare: string } {
  const { provider, bare = name } = prefixed.exec(name)?.groups ?? {};
  return { bare, ...((provider === "anthropic" || provider === "openai") && { provider }) };
}

/** Whose protocol a model's name stands for. */
export function providerOf(name: string): ProviderName {
  return splitProvider(name).provider ?? (anthropicNames.test(name) ? "anthropic" : "openai");
}

/**
 * The name by which the server of a model would be asked for another one; `undefined` where that name says that another
 * provider serves it. A server of one's own serves any name.
 */
export function siblingName(name: string, own: string, protocol: ProviderName): string | undefined {
  const { provider, bare } = splitProvider(name);
  if (provider !== undefined) return provider === protocol ? bare : undefined;
  return providerOf(name) === protocol || providerOf(own) !== protocol ? name : undefined;
}
