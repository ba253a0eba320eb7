import { fail, ok, type Result, type SpendingClaim } from "../spec/index.ts";

const billionths = 1_000_000_000;
/** More than anybody has: sums stay exact. */
const mostDollars = 1_000_000;

/** How long what is reserved is held for somebody who never says what it came to: longer than any request takes. */
export const usualHeldMs = 60 * 60_000;

/** A claim in whole billionths of a dollar: what is wanted is rounded up, what there is down. */
export interface ClaimedAmount {
  readonly amount: number;
  readonly limit: number;
}

export const toDollars = (amount: number) => amount / billionths;

/** Dollars that were spent, in whole billionths. What is no amount is a fault of the program. */
export function toAmount(dollars: number, path = "dollars"): Result<number> {
  if (Number.isFinite(dollars) && dollars >= 0)
    return ok(Math.ceil(Math.min(dollars, mostDollars) * billionths - 1e-3));
  return fail("invalid-input", `${path}: ${dollars} is not an amount of dollars.`, {
    path,
    fix: "Give 0 or more.",
  });
}

export function toClaimedAmount({ day, dollars, limit }: SpendingClaim): Result<ClaimedAmount> {
  const checked = checkDay(day);
  if (!checked.ok) return checked;
  const amount = toAmount(dollars);
  const most = toAmount(limit, "limit");
  if (!amount.ok) return amount;
  return most.ok ? ok({ amount: amount.value, limit: most.value }) : most;
}

export function checkDay(day: string): Result<void> {
  if (/^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/.test(day)) return ok();
  return fail("invalid-input", `“${day}” is not a day.`, { path: "day", fix: "Write it as 2026-01-31." });
}

export interface DaySums {
  readonly spent: number;
  readonly held: number;
}

/** The refusal of a claim, with what there is in its facts. */
export function overBudget(
  { scope, day, dollars, limit }: SpendingClaim,
  { spent, held }: DaySums,
): Result<never> {
  const facts = { scope, day, wanted: dollars, limit, dollars: toDollars(spent), reserved: toDollars(held) };
  const now = held > 0 ? `, and $${toDollars(held).toFixed(4)} are reserved for requests in progress` : "";
  return fail(
    "over-budget",
    `$${toDollars(spent).toFixed(4)} of $${limit} for ${day} are spent${now}: the next request may take up to $${dollars.toFixed(4)}.`,
    { fix: "Wait for the next day (UTC), or raise budget.dollarsPerDay.", facts },
  );
}
