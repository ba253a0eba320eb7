import { decideAgentStart, decideTreeStop, type TreeUse, tokensOfUsage } from "@palimpsest/core/internal";
import type { Clock, Result, TreeBudget, Usage } from "@palimpsest/core/spec";

/** Counts what all agents below one session use up together. */
interface TreeMeter {
  /** Why one more may not begin; `null` where it may. */
  refusal(depth: number): string | null;
  begin(): void;
  end(): void;
  spend(usage: Usage, dollars: number): void;
  use(): TreeUse;
}

interface TreeMeterOptions {
  readonly clock: Clock;
  readonly budget: TreeBudget;
  /** The daily spending of all sessions' agents; absent: nobody counts it. */
  readonly daySpend?: DaySpend;
  /** The spending of the session's agents before it was opened again. */
  readonly dollarsBefore?: () => number;
  /** A budget is used up: told at every response and at the end of the time. */
  readonly onStop: (reason: string) => void;
}

export function createTreeMeter(options: TreeMeterOptions): TreeMeter {
  const { clock, budget, daySpend, dollarsBefore = () => 0, onStop } = options;
  let [begun, running, tokens, dollars, pastMs, sinceMs] = [0, 0, 0, 0, 0, 0];
  let watching: AbortController | null = null;

  const activeMs = () => pastMs + (running > 0 ? clock.monotonic() - sinceMs : 0);
  const use = (): TreeUse => ({
    begun,
    running,
    tokens,
    dollars: dollars + dollarsBefore(),
    activeMs: activeMs(),
    dayDollars: daySpend?.dollars() ?? 0,
  });

  function check(): void {
    const stop = decideTreeStop(use(), budget);
    if (stop !== null) onStop(stop);
  }

  async function watchTime(): Promise<void> {
    watching = new AbortController();
    const { signal } = watching;
    await clock.sleep(Math.max(0, budget.maxMs - pastMs), signal);
    if (!signal.aborted) check();
  }

  return {
    use,
    refusal: (depth) => decideAgentStart(use(), depth, budget),
    begin() {
      begun += 1;
      running += 1;
      if (running > 1) return;
      sinceMs = clock.monotonic();
      void watchTime();
    },
    end() {
      if (running === 1) {
        pastMs = activeMs();
        watching?.abort();
      }
      running -= 1;
    },
    spend(usage, cost) {
      tokens += tokensOfUsage(usage);
      dollars += cost;
      daySpend?.add(cost);
      check();
    },
  };
}

/** Today's spending of the agents of all who share a book. */
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

interface DaySpendOptions {
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
