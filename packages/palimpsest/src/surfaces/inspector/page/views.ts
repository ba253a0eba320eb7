import type { ViewChange } from "../inspected.ts";

/** Views of a session's requests, told by their changes. */
export interface Views {
  readonly count: number;
  /** Numbers of the items in the view of a request. */
  at(request: number): readonly number[];
  /** How many of its first items the view shares with the one before. */
  kept(request: number): number;
}

/** Every so many requests a whole view is kept, so that a jump applies few changes. */
const checkpointEvery = 64;

export function createViews(changes: readonly ViewChange[], every = checkpointEvery): Views {
  const checkpoints: (readonly number[])[] = [];
  const view: number[] = [];
  changes.forEach((change, request) => {
    apply(view, change);
    if (request % every === 0) checkpoints.push([...view]);
  });
  return {
    count: changes.length,
    at(request) {
      if (request < 0 || request >= changes.length) return [];
      const checkpoint = Math.floor(request / every);
      const found = [...(checkpoints[checkpoint] ?? [])];
      for (const change of changes.slice(checkpoint * every + 1, request + 1)) apply(found, change);
      return found;
    },
    kept: (request) => changes[request]?.keep ?? 0,
  };
}

function apply(view: number[], { keep, add }: ViewChange): void {
  if (view.length > keep) view.length = keep;
  for (const item of add) view.push(item);
}
