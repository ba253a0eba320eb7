import { PalimpsestError } from "../../spec/index.ts";

/** Every number the window and its thresholds rest on. */
export interface WindowNumbers {
  /** The window behind the suffix `[1m]` and the 1M beta header. */
  readonly longWindowTokens: number;
  /** The window when nobody knows. */
  readonly defaultWindowTokens: number;
  /** The most that is kept free for writing a summary. */
  readonly summaryReserveTokens: number;
  /** How far below the effective window automatic compaction begins. */
  readonly autoBufferTokens: number;
  /** How far below the base the warning begins, */
  readonly warningBufferTokens: number;
  /** and the error. */
  readonly errorBufferTokens: number;
  /** How far below the effective window requests are blocked. */
  readonly blockingBufferTokens: number;
  /** In a window smaller than this, reserve and buffers shrink in proportion. */
  readonly scaleBelowTokens: number;
}

export const windowNumbers: WindowNumbers = {
  longWindowTokens: 1_000_000,
  defaultWindowTokens: 200_000,
  summaryReserveTokens: 20_000,
  autoBufferTokens: 13_000,
  warningBufferTokens: 20_000,
  errorBufferTokens: 20_000,
  blockingBufferTokens: 3_000,
  scaleBelowTokens: 100_000,
};

/** The numbers with the given ones in their place; throws `invalid-input` at one that is no count of tokens. */
export function withWindowNumbers(given: Partial<WindowNumbers> = {}): WindowNumbers {
  const values = Object.entries(given).filter(([, value]) => value !== undefined);
  for (const [name, value] of values) {
    if (!Object.hasOwn(windowNumbers, name)) {
      refuse(
        name,
        "is not one of the window's numbers",
        `Use one of: ${Object.keys(windowNumbers).join(", ")}.`,
      );
    }
    const smallest = /Buffer|Reserve/.test(name) ? 0 : 1;
    if (!Number.isSafeInteger(value) || value < smallest) {
      refuse(name, `is ${value}`, `Give a whole number of tokens, ${smallest} or more.`);
    }
  }
  return { ...windowNumbers, ...Object.fromEntries(values) };
}

function refuse(name: string, problem: string, fix: string): never {
  const path = `numbers.${name}`;
  throw new PalimpsestError("invalid-input", `${path} ${problem}. ${fix}`, { path, fix });
}
