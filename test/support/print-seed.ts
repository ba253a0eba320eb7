import { seed } from "./seed.ts";

/** Runs once before all tests. */
export function setup(): void {
  console.log(`Property tests use seed ${seed}; PALIMPSEST_SEED=N npm test uses another.`);
}
