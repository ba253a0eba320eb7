import type { RunBudget, RunEndReason, Usage } from "@palimpsest/core/spec";

/** The spending of a run so far. */
export interface Spending {
  readonly requests: number;
  readonly usage: Usage;
  readonly dollars: number;
}

export const nothingSpent: Spending = {
  requests: 0,
  usage: { input: 0, output: 0, cacheRead: 0, cacheCreation: 0 },
  dollars: 0,
};

export function withResponse({ requests, usage, dollars }: Spending, used: Usage, cost: number): Spending {
  return {
    requests: requests + 1,
    usage: {
      input: usage.input + used.input,
      output: usage.output + used.output,
      cacheRead: usage.cacheRead + used.cacheRead,
      cacheCreation: usage.cacheCreation + used.cacheCreation,
    },
    dollars: dollars + cost,
  };
}

export interface Limits {
  readonly maxTurns?: number;
  readonly budget?: RunBudget;
}

export interface RunStop {
  readonly reason: RunEndReason;
  readonly message: string;
}

/** Why no further request may be made; `null` where one may. */
export function decideStop(
  spending: Spending,
  elapsedMs: number,
  { maxTurns, budget = {} }: Limits,
): RunStop | null {
  const { requests, usage, dollars } = spending;
  if (maxTurns !== undefined && requests >= maxTurns)
    return { reason: "max-turns", message: `${requests} requests were made, and no more are allowed.` };
  const tokens = usage.input + usage.output + usage.cacheRead + usage.cacheCreation;
  if (budget.tokens !== undefined && tokens >= budget.tokens)
    return { reason: "token-budget", message: `${tokens} of ${budget.tokens} tokens are used up.` };
  if (budget.dollars !== undefined && dollars >= budget.dollars)
    return {
      reason: "dollar-budget",
      message: `$${dollars.toFixed(4)} of $${budget.dollars} are spent.`,
    };
  if (budget.timeMs !== undefined && elapsedMs >= budget.timeMs)
    return { reason: "time-budget", message: `${Math.round(elapsedMs)} of ${budget.timeMs} ms have passed.` };
  return null;
}
