import type { Result } from "../result.ts";

/** Work that nobody waits for. Notes are none of it: they belong to a session that is open, and end with it. */
export type WorkKind = "extraction" | "dream";

/** A background job. Of the same kind, project and session there is one order: a later one takes its place. */
export interface WorkOrder {
  readonly kind: WorkKind;
  readonly project: string;
  /** Absent: the work is the whole project's. */
  readonly session?: string;
  /** The folder of the project, where the session knew one. */
  readonly cwd?: string;
}

/** `failed`: it is not tried again. What has failed and will be tried again is `waiting`. */
export type WorkState = "waiting" | "running" | "failed";

export interface WorkItem {
  readonly id: string;
  /** Absent where a later order has taken the place of one that runs. */
  readonly key?: string;
  readonly kind: string;
  readonly project: string;
  readonly session?: string;
  readonly state: WorkState;
  readonly attempts: number;
  readonly maxAttempts: number;
  readonly queuedAt: string;
  /** Not before this. */
  readonly runAt: string;
  /** Who works on it. */
  readonly worker?: string;
  readonly lastError?: string;
}

/** The result of a job. */
export interface WorkDone {
  readonly message: string;
  /** It could not be done just now, and that is nobody's fault: again after so many milliseconds. */
  readonly againAfterMs?: number;
}

export interface WorkContext {
  /** Aborts when somebody stops the work, or the worker ends. */
  readonly signal: AbortSignal;
  /** Counts from 1. */
  readonly attempt: number;
}

/** Does the work. It may be called again after it was done, and then changes nothing. A failure is tried again. */
export type WorkHandler = (order: WorkOrder, context: WorkContext) => Promise<Result<WorkDone>>;

export type WorkHandlers = Readonly<Partial<Record<WorkKind, WorkHandler>>>;

/** A queue of background work. Work of one session, or of one project, is done one after another. */
export interface BackgroundWork {
  enqueue(order: WorkOrder): Promise<Result<WorkItem>>;
  /** In the order in which it will be done. */
  list(): Promise<Result<readonly WorkItem[]>>;
  /**
   * By id or key. `removed`: it had not begun. `stopping`: whoever works on it is told, and does not begin again.
   * `not-found` where there is no such work.
   */
  stop(idOrKey: string): Promise<Result<"removed" | "stopping">>;
  /** How many processes stand ready for work of this kind now. */
  workers(kind: WorkKind): Promise<Result<number>>;
}

/** The most that is about to be spent, and the day's limit. */
export interface SpendingClaim {
  /** The group counted together, such as everything of one user. */
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
 * Daily spending, by all who share it. What is settled and what is held never pass the limit together, however many
 * claim at once. Amounts are exact to a billionth of a dollar.
 */
export interface SpendingLedger {
  /** `over-budget`, with what is spent and held in the error's facts, where the limit would be passed. */
  reserve(claim: SpendingClaim): Promise<Result<SpendingToken>>;
  /**
   * Records the real spending, which always counts; nothing is held any more. Said twice it counts once. A holder that
   * never says it loses what it holds after a while.
   */
  settle(reserved: SpendingToken, dollars: number): Promise<Result<void>>;
  spent(scope: string, day: string): Promise<Result<DaySpending>>;
}

export interface Mail {
  /** Dedup id: the same mail delivered twice has the same one. */
  readonly id: string;
  /** Set by the transport, never taken from the text. */
  readonly from: string;
  readonly to: string;
  readonly at: string;
  readonly body: unknown;
  /** Grows with every mail of one sender to one receiver; given by the mailbox. */
  readonly seq?: number;
  /** Why only the head is left: it was kept too long, or cannot be read. The body is `null`. */
  readonly dropped?: "expired" | "unreadable";
}

/**
 * At-least-once delivery, in order per sender. One mailbox object is one reader: what it has taken comes to it again until
 * it acknowledges, and to others once it has given it back or its process is dead. No mail is given while another reader
 * has an earlier one of the same sender.
 */
export interface Mailbox {
  /** Accepted once this returns, safe from power loss; `too-large` where the mail or the mailbox is full. */
  send(mail: Mail): Promise<Result<void>>;
  /** Takes up to `limit` mails; each comes again until acknowledged. What was dropped comes as a head. */
  take(to: string, limit: number): Promise<Result<readonly Mail[]>>;
  /** For mails that the receiver's log holds: they never come again. Ids that are not there are passed over. */
  acknowledge(to: string, ids: readonly string[]): Promise<Result<void>>;
  /** Gives back what this reader has taken and not acknowledged. */
  release?(to: string): Promise<Result<void>>;
  /**
   * Calls `wake` when mail for `to` may have come, until the signal says so. It may call too often and may miss some:
   * who waits looks by itself too, only less often.
   */
  watch?(to: string, wake: () => void, signal: AbortSignal): void;
}
