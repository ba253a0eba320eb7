import type { SessionStatistics } from "../../../spec/index.ts";

/**
 * Why the next update must wait for the budget; `null` where it need not. Updates may cost a part of what the session has
 * cost, its forks included. Once they have cost more, the interval widens: the next one waits until the session itself has
 * spent so much that they are within it again.
 */
export function overBudget(
  { dollars, forkDollars = {} }: Pick<SessionStatistics, "dollars" | "forkDollars">,
  budgetPercent: number,
): string | null {
  const spent = forkDollars.notes ?? 0;
  const all = Object.values(forkDollars).reduce((sum, one) => sum + one, dollars);
  if (spent * 100 <= all * budgetPercent) return null;
  const percent = Math.ceil((spent / all) * 100);
  return `notes have cost ${percent} % of the session, over ${budgetPercent} %`;
}
