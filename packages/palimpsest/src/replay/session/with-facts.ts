import type { Facts, Layer } from "@palimpsest/core/spec";

/**
 * The same layer, told by `correct` what a replay knows better than the engine. What it writes is for a model that can
 * recall, though a recording does not say which tools there were.
 */
export function withFacts<Command>(
  layer: Layer<Command>,
  correct: (facts: Facts) => Partial<Facts>,
): Layer<Command> {
  return {
    ...layer,
    decide(view, moment, facts) {
      const { logAddress: _address, ...known } = facts;
      return layer.decide(view, moment, { ...known, ...correct(facts) });
    },
    apply: (command, io, signal) => layer.apply(command, io, signal),
  };
}
