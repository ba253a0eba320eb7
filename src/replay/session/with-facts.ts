import type { Facts, Layer } from "../../spec/index.ts";

/** The same layer, told by `correct` what a replay knows better than the engine. */
export function withFacts<Command>(
  layer: Layer<Command>,
  correct: (facts: Facts) => Partial<Facts>,
): Layer<Command> {
  return {
    ...layer,
    decide: (view, moment, facts) => layer.decide(view, moment, { ...facts, ...correct(facts) }),
    apply: (command, io, signal) => layer.apply(command, io, signal),
  };
}
