import type { DemoWord, LayerEvent, PlayedRequest } from "../runs/demo-word.ts";

/** What the threads have told so far. */
export interface DemoState {
  readonly engine: readonly PlayedRequest[];
  readonly identity: readonly PlayedRequest[];
  /** In the order in which they happened. */
  readonly events: readonly LayerEvent[];
  /** Policies that were run. */
  readonly compared: number;
}

export const emptyDemo: DemoState = { engine: [], identity: [], events: [], compared: 0 };

export function reduceDemo(state: DemoState, word: DemoWord): DemoState {
  switch (word.word) {
    case "request":
      return { ...state, [word.run]: [...state[word.run], word.request] };
    case "layer":
      return { ...state, events: [...state.events, word.event] };
    case "policy":
      return { ...state, compared: state.compared + 1 };
    default:
      return state;
  }
}

/** How many requests are known of both runs: so many can be shown. */
export function knownRequests({ engine, identity }: DemoState): number {
  return Math.min(engine.length, identity.length);
}
