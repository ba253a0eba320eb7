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
