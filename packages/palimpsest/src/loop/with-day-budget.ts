import { estimateContent, estimateJson, padEstimate } from "@palimpsest/core/internal";
import type {
  Clock,
  Disk,
  Ids,
  Model,
  ModelEvent,
  ModelRequest,
  Result,
  Settings,
  SpendingLedger,
  SpendingToken,
  Store,
  Usage,
} from "@palimpsest/core/spec";
import { createFileSpendingLedger } from "@palimpsest/core/stores/files";

/** What all sessions together may spend in a day, and what they have spent. */
export interface DayLimit {
  readonly ledger: SpendingLedger;
  readonly dollarsPerDay: number;
  readonly clock: Clock;
}

export interface DayBudget extends DayLimit {
  /** The cost of a response, by the model that it names and the one that was asked for it. */
  readonly dollars: (usage: Usage, answered: string, asked: string) => number;
}

/** Everything of everybody who shares the ledger is counted together. */
export const budgetScope = "all";

/** The day it is everywhere, as `2026-01-31`. */
export const budgetDay = (nowMs: number) => new Date(nowMs).toISOString().slice(0, 10);

/**
 * A model that is asked only while the day's budget has room for the most that the answer may cost. Every try is
 * reserved before and settled after; one that is refused ends with `over-budget` and is never sent.
 */
export function withDayBudget(model: Model, budget: DayBudget): Model {
  return {
    ...model,
    async *stream(request, signal) {
      const reserved = await reserve(request, model.name, budget);
      if (!reserved.ok) return yield reserved;
      const meter = createMeter(request, model.name, budget);
      try {
        for await (const event of model.stream(request, signal)) {
          meter.see(event);
          yield event;
        }
      } finally {
        // Where it cannot be said, what was reserved stays held: an answer that is there is not lost for it.
        await budget.ledger.settle(reserved.value, meter.dollars());
      }
    },
  };
}

function reserve(request: ModelRequest, model: string, budget: DayBudget): Promise<Result<SpendingToken>> {
  const { ledger, dollarsPerDay: limit, clock } = budget;
  const usage = usageOf(promptTokensOf(request), request.max_tokens);
  const dollars = budget.dollars(usage, model, model);
  return ledger.reserve({ scope: budgetScope, day: budgetDay(clock.now()), dollars, limit });
}

/** Estimates are never off by so much: an answer that reports more has not cost it. */
const believedTimes = 10;

/** The cost of an answer as far as it came: the prompt from its first word on, then what was said. */
function createMeter(request: ModelRequest, name: string, { dollars }: DayBudget) {
  let hasBegun = false;
  let chars = 0;
  let whole: number | undefined;
  return {
    see(event: Result<ModelEvent>) {
      if (!event.ok) return;
      const { value } = event;
      hasBegun = true;
      if (value.type === "block-delta") chars += JSON.stringify(value.delta).length;
      if (value.type === "response-end") whole = dollars(value.billed ?? value.usage, value.model, name);
    },
    dollars() {
      const most = dollars(usageOf(promptTokensOf(request), request.max_tokens), name, name) * believedTimes;
      if (whole !== undefined && (whole <= most || most === 0)) return whole;
      return hasBegun ? dollars(usageOf(promptTokensOf(request), Math.ceil(chars / 4)), name, name) : 0;
    },
  };
}

/** Written to the cache for an hour: nothing that a prompt can come to costs more. */
const usageOf = (prompt: number, output: number): Usage => ({
  input: 0,
  output,
  cacheRead: 0,
  cacheCreation: prompt,
  cacheCreation1h: prompt,
});

function promptTokensOf({ system = [], tools = [], messages }: ModelRequest): number {
  const said = messages.reduce((sum, { content }) => sum + estimateContent(content), 0);
  return padEstimate(said + estimateContent(system) + estimateJson(tools));
}

interface DayLimitLocation {
  readonly settings: Settings;
  readonly store: Store | undefined;
  readonly home: string;
  readonly disk: Disk;
  readonly clock: Clock;
  readonly ids: Ids;
}

/** The limit of the day, in the ledger of the store, else in that of the data root; `null` where none is set. */
export function openDayLimit({ settings, store, ...place }: DayLimitLocation): DayLimit | null {
  const { dollarsPerDay } = settings.budget ?? {};
  if (dollarsPerDay === undefined) return null;
  const ledger = store?.spending ?? createFileSpendingLedger(place);
  return { ledger, dollarsPerDay, clock: place.clock };
}

export function openDayBudget({
  dollars,
  ...location
}: DayLimitLocation & Pick<DayBudget, "dollars">): DayBudget | null {
  const limit = openDayLimit(location);
  return limit && { ...limit, dollars };
}
