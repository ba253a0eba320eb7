import type { Facts } from "../spec/index.ts";

type ConfiguredFacts = Pick<Facts, "settings"> & Partial<Pick<Facts, "thresholds">>;

/**
 * Reads numbers out of what was set, once a configuration instead of once a decision. Settings that are not frozen may
 * change, and are read every time.
 */
export function onceAConfiguration<Given extends ConfiguredFacts, Read>(
  read: (facts: Given) => Read,
): (facts: Given) => Read {
  const known = new WeakMap<Facts["settings"], Pick<Given, "thresholds"> & { readonly value: Read }>();
  return (facts) => {
    const { settings, thresholds } = facts;
    if (!Object.isFrozen(settings)) return read(facts);
    const before = known.get(settings);
    if (before && before.thresholds === thresholds) return before.value;
    const value = read(facts);
    known.set(settings, { thresholds, value });
    return value;
  };
}
