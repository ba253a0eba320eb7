import type { Amount } from "./accounting-sums.ts";

/** Amounts by name that go up and down. */
export interface AmountTally {
  readonly amounts: ReadonlyMap<string, Amount>;
  /** What comes to nothing is forgotten. */
  add(name: string, count: number, tokens: number): void;
}

export function createAmountTally(): AmountTally {
  const amounts = new Map<string, Amount>();
  return {
    amounts,
    add(name, count, tokens) {
      const before = amounts.get(name) ?? { count: 0, tokens: 0 };
      const after = { count: before.count + count, tokens: before.tokens + tokens };
      if (after.count === 0) amounts.delete(name);
      else amounts.set(name, after);
    },
  };
}
