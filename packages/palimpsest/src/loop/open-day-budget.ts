import type { Clock, Disk, Ids, Settings, Store } from "@palimpsest/core/spec";
import { createFileSpendingLedger } from "@palimpsest/core/stores/files";
import type { DayBudget } from "./with-day-budget.ts";

export interface DayBudgetLocation {
  readonly settings: Settings;
  readonly store: Store | undefined;
  readonly home: string;
  readonly disk: Disk;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly dollars: DayBudget["dollars"];
}

/** The budget of the day, in the ledger of the store, else in that of the data root; `null` where none is set. */
export function openDayBudget({ settings, store, dollars, ...place }: DayBudgetLocation): DayBudget | null {
  const { dollarsPerDay } = settings.budget ?? {};
  if (dollarsPerDay === undefined) return null;
  const ledger = store?.spending ?? createFileSpendingLedger(place);
  return { ledger, dollarsPerDay, clock: place.clock, dollars };
}
