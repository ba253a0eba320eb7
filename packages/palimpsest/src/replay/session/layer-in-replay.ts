import type { Facts, Layer } from "@palimpsest/core/spec";

/**
 * The same layer, told by `correct` what a replay knows better than the engine. What it writes is for a model that can
 * recall, though a recording does not say which tools there were. While it is held it decides nothing.
 */
export function inReplay<Command>(
  layer: Layer<Command>,
  correct: (facts: Facts) => Partial<Facts>,
  isHeld: () => boolean,
): Layer<Command> {
  return {
    ...layer,
    decide(view, moment, facts) {
      if (isHeld()) return { verdict: "skip", reason: "what was missing is only appended" };
      const { logAddress: _address, ...known } = facts;
      return layer.decide(view, moment, { ...known, ...correct(facts) });
    },
    apply: (command, io, signal) => layer.apply(command, io, signal),
  };
}
