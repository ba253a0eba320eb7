import { decideAgentStart, decideTreeStop, type TreeUse, tokensOfUsage } from "@palimpsest/core/internal";
import type { Clock, TreeBudget, Usage } from "@palimpsest/core/spec";
import type { DaySpend } from "./day-spend.ts";

/** Counts what all agents below one session use up together. */
export interface TreeMeter {
  /** Why one more may not begin; `null` where it may. */
  refusal(depth: number): string | null;
  begin(): void;
  end(): void;
  spend(usage: Usage, dollars: number): void;
  use(): TreeUse;
}

export interface TreeMeterOptions {
  readonly clock: Clock;
  readonly budget: TreeBudget;
  /** What the agents of all sessions spend in a day; absent: nobody counts it. */
  readonly daySpend?: DaySpend;
  /** What the session's agents had spent before it was opened again. */
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
