import type { SpendingLedger } from "../../spec/index.ts";
import type { DaySpend } from "./day-spend.ts";

export interface LedgerDaySpendOptions {
  readonly ledger: SpendingLedger;
  /** The day it is, such as `2026-01-31`. */
  readonly today: () => string;
  readonly warn: (text: string) => void;
}

/** Counted apart from `budget.dollarsPerDay`, of which it is a part. */
export const agentsScope = "agents";

/** Nothing is refused here: whoever begins agents looks at the sum. */
const noLimit = 1_000_000;

/** What agents have spent today, of all who share a ledger, on any machine. */
export function createLedgerDaySpend({ ledger, today, warn }: LedgerDaySpendOptions): DaySpend {
  let day = today();
  let known = 0;
  let writing: Promise<void> = Promise.resolve();

  function turn(): void {
    if (today() === day) return;
    day = today();
    known = 0;
  }

  async function write(spentOn: string, dollars: number): Promise<void> {
    const claim = { scope: agentsScope, day: spentOn, dollars: 0, limit: noLimit };
    const token = await ledger.reserve(claim);
    const settled = token.ok ? await ledger.settle(token.value, dollars) : token;
    if (!settled.ok) warn(`What agents have spent today could not be written: ${settled.error.message}`);
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
      const spent = await ledger.spent(agentsScope, day);
      if (spent.ok) known = Math.max(known, spent.value.dollars);
      else warn(`What agents have spent today could not be read: ${spent.error.message}`);
    },
    settle: () => writing,
  };
}
