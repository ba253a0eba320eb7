import type { Scene } from "../scenes.ts";
import type { DemoState } from "./demo-state.ts";

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
