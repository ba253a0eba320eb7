import type { Result } from "@palimpsest/core/spec";

/** What the agents of all who share a book have spent today. */
export interface DaySpend {
  /** Looks again at what others have written. */
  load(): Promise<void>;
  /** As far as it is known. */
  dollars(): number;
  add(dollars: number): void;
  /** Waits until everything added is written. */
  settle(): Promise<void>;
}

/** Where it is written down, by day. */
export interface DayBook {
  add(day: string, dollars: number): Promise<Result<void>>;
  sum(day: string): Promise<Result<number>>;
}

export interface DaySpendOptions {
  readonly book: DayBook;
  /** The day it is, such as `2026-01-31`. */
  readonly today: () => string;
  readonly warn: (text: string) => void;
}

export function createDaySpend({ book, today, warn }: DaySpendOptions): DaySpend {
  let day = today();
  let known = 0;
  let writing: Promise<void> = Promise.resolve();

  function turn(): void {
    if (today() === day) return;
    day = today();
    known = 0;
  }

  async function write(spentOn: string, dollars: number): Promise<void> {
    const written = await book.add(spentOn, dollars);
    if (!written.ok) warn(`What agents have spent today could not be written: ${written.error.message}`);
  }

  return {
    dollars: () => known,
    add(dollars) {
      turn();
      known += dollars;
      const spentOn = day;
      writing = writing.then(() => write(spentOn, dollars));
    },
    async load() {
      await writing;
      turn();
      const sum = await book.sum(day);
      if (sum.ok) known = Math.max(known, sum.value);
      else warn(`What agents have spent today could not be read: ${sum.error.message}`);
    },
    settle: () => writing,
  };
}
