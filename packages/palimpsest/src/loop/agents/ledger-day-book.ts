import { ok, type SpendingLedger } from "@palimpsest/core/spec";
import type { DayBook } from "./day-spend.ts";

/** Counted apart from `budget.dollarsPerDay`, of which it is a part. */
const scope = "agents";

/** Nothing is refused here: whoever begins agents looks at the sum. */
const noLimit = 1_000_000;

/** Shared by all who share a ledger, on any machine. */
export function createLedgerDayBook(ledger: SpendingLedger): DayBook {
  return {
    async add(day, dollars) {
      const token = await ledger.reserve({ scope, day, dollars: 0, limit: noLimit });
      return token.ok ? ledger.settle(token.value, dollars) : token;
    },
    async sum(day) {
      const spent = await ledger.spent(scope, day);
      return spent.ok ? ok(spent.value.dollars) : spent;
    },
  };
}
