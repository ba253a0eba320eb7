import { mayBeCharged } from "@palimpsest/core/internal";
import { fail } from "@palimpsest/core/spec";
import type { WarmedSession } from "../../../loop/create-warming.ts";
import { budgetDay, budgetScope, type DayLimit } from "../../../loop/with-day-budget.ts";

/** A session whose reads are made only while the day's budget could bear that they miss. */
export function withinDayLimit(session: WarmedSession, day: DayLimit | null): WarmedSession {
  if (!day) return session;
  const { ledger, dollarsPerDay: limit, clock } = day;
  return {
    ...session,
    async keepWarm(signal) {
      const next = session.nextRead();
      if (!next.due) return fail("conflict", next.reason);
      const asked = { scope: budgetScope, day: budgetDay(clock.now()), dollars: next.mostDollars, limit };
      const reserved = await ledger.reserve(asked);
      if (!reserved.ok) return reserved;
      let dollars = next.mostDollars;
      try {
        const read = await session.keepWarm(signal);
        if (read.ok) ({ dollars } = read.value);
        else if (!mayBeCharged(read.error)) dollars = 0;
        return read;
      } finally {
        await ledger.settle(reserved.value, dollars);
      }
    },
  };
}
