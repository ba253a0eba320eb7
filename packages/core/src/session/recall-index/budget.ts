import type { Clock } from "../../spec/index.ts";

/** Blocks of postings between two looks at the clock: about a tenth of a millisecond of work. */
export const blocksPerLook = 64;

/** Says whether to go on. Counts what it is asked, and looks at the clock now and then; without a limit, always. */
export function createBudget(clock: Clock, maxMs: number | undefined): () => boolean {
  if (maxMs === undefined) return () => true;
  const endMs = clock.monotonic() + maxMs;
  let asked = 0;
  let isOver = false;
  return () => {
    asked += 1;
    if (!isOver && asked % blocksPerLook === 0) isOver = clock.monotonic() >= endMs;
    return !isOver;
  };
}
