/** The same seed gives the same numbers, on every machine. */
export interface SeededRandom {
  /** In [0, 1). */
  next(): number;
  /** An integer in [0, bound). */
  below(bound: number): number;
}

/** mulberry32: 32 bits of state, good enough to choose test cases with and for nothing else. */
export function createSeededRandom(seed: number): SeededRandom {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return { next, below: (bound) => Math.floor(next() * bound) };
}
