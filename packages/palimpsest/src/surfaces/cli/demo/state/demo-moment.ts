import type { LayerEvent, PlayedRequest } from "../runs/demo-word.ts";
import type { Scene } from "../scenes.ts";
import type { DemoState } from "./demo-state.ts";

/** Something the user said, as the how manieth of how many, and after how long a pause. */
export interface ShownPrompt {
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
  /** What the user said last. */
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
