import type { DemoWord, LayerEvent, PlayedRequest } from "../runs/demo-policies.ts";
import type { Scene } from "../scenes.ts";

/** The state from all messages of the threads so far. */
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

/** Something the user said, as the how manieth of how many, and after how long a pause. */
interface ShownPrompt {
  readonly text: string;
  readonly number: number;
  readonly of: number;
  readonly idleMs: number;
}

/** The session as it stands when so many of its requests have passed. */
export interface DemoMoment {
  /** Requests that have passed. */
  readonly passed: number;
  readonly requests: number;
  /** The user's last prompt. */
  readonly prompt: ShownPrompt | null;
  /** Of the newest request. */
  readonly scene: Scene | null;
  readonly engine: PlayedRequest | null;
  readonly identity: PlayedRequest | null;
  readonly events: readonly LayerEvent[];
}

export function momentAt(scenes: readonly Scene[], state: DemoState, passed: number): DemoMoment {
  return {
    passed,
    requests: scenes.length,
    prompt: promptAt(scenes, passed),
    scene: scenes[passed - 1] ?? null,
    engine: state.engine[passed - 1] ?? null,
    identity: state.identity[passed - 1] ?? null,
    events: state.events.filter(({ request }) => request < passed),
  };
}

function promptAt(scenes: readonly Scene[], passed: number): ShownPrompt | null {
  const said = scenes.slice(0, passed).filter(({ prompts }) => prompts.length > 0);
  const latest = said.at(-1);
  const text = latest?.prompts.at(-1);
  if (!latest || text === undefined) return null;
  const count = (among: readonly Scene[]) => among.reduce((sum, { prompts }) => sum + prompts.length, 0);
  return { text, number: count(said), of: count(scenes), idleMs: latest.idleMs };
}

/** The totals of one layer so far. */
interface LayerTotal {
  /** Number and name. */
  readonly name: string;
  readonly times: number;
  readonly frees: number;
}

/** The layers that a replay has, by the ids under which they decide. */
const names: ReadonlyMap<string, string> = new Map([
  ["tool-results", "1 tool results"],
  ["microcompact", "2 microcompact"],
  ["session-notes", "3 session notes"],
  ["folding", "4 folding"],
  ["compaction", "4 compaction"],
]);

export function layerName(layer: string): string {
  return names.get(layer) ?? layer;
}

/** The same layers always, whether they have done something or not; folding only where it has. */
export function layerTotals(events: readonly LayerEvent[]): readonly LayerTotal[] {
  return [...names].flatMap(([layer, name]) => {
    const own = events.filter((event) => event.layer === layer);
    if (own.length === 0 && layer === "folding") return [];
    return [{ name, times: own.length, frees: own.reduce((sum, { frees }) => sum + frees, 0) }];
  });
}

/** How long everything is shown: requests as they pass, what the user says, and the layers' work. About 20 s together. */
const requestsMs = 12_000;
const promptsMs = 3_500;
const eventMs = 160;

/** How long a request is shown before the next one. */
export function dwellMs(scenes: readonly Scene[], { events }: DemoState, index: number): number {
  const prompts = scenes.reduce((sum, scene) => sum + scene.prompts.length, 0);
  const own = scenes[index]?.prompts.length ?? 0;
  const freeing = events.filter(({ request, frees }) => request === index && frees > 0).length;
  return requestsMs / scenes.length + (own * promptsMs) / Math.max(1, prompts) + freeing * eventMs;
}

export interface Playhead {
  /** Requests that have passed. */
  readonly passed: number;
  /** Time that was not used up. */
  readonly restMs: number;
}

/** Moves on as far as the time and what is known allow; time in which nothing was known is lost. */
export function advance(
  { passed, restMs }: Playhead,
  elapsedMs: number,
  known: number,
  dwellOf: (index: number) => number,
): Playhead {
  let left = restMs + elapsedMs;
  let at = passed;
  while (at < known) {
    const dwell = at === 0 ? 0 : dwellOf(at - 1);
    if (left < dwell) return { passed: at, restMs: left };
    left -= dwell;
    at += 1;
  }
  return { passed: at, restMs: Math.min(left, at === 0 ? 0 : dwellOf(at - 1)) };
}
