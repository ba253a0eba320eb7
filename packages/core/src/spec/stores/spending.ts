import type { Result } from "../result.ts";

/** What is about to be spent, at most, and what the day may take. */
export interface SpendingClaim {
  /** What is counted together, such as everything of one user. */
  readonly scope: string;
  /** As `2026-01-31`. */
  readonly day: string;
  /** 0 or more. */
  readonly dollars: number;
  readonly limit: number;
}

/** A part of the day's budget that is held until it is settled. */
export interface SpendingToken {
  readonly id: string;
  readonly scope: string;
  readonly day: string;
  readonly dollars: number;
}

export interface DaySpending {
  readonly dollars: number;
  /** Held for what goes on now. */
  readonly reserved: number;
}

/**
 * What was spent each day, by all who share it. What is settled and what is held never pass the limit together, however
 * many claim at once. Amounts are exact to a billionth of a dollar.
 */
export interface SpendingLedger {
  /** `over-budget`, with what is spent and held in the error's facts, where the limit would be passed. */
  reserve(claim: SpendingClaim): Promise<Result<SpendingToken>>;
  /**
   * What was really spent, which always counts; nothing is held any more. Said twice it counts once. A holder that never
   * says it loses what it holds after a while.
   */
  settle(reserved: SpendingToken, dollars: number): Promise<Result<void>>;
  spent(scope: string, day: string): Promise<Result<DaySpending>>;
}
