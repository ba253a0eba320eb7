import type { Result } from "../result.ts";

/** Work that nobody waits for. Notes are none of it: they belong to a session that is open, and end with it. */
export type WorkKind = "extraction" | "dream";

/** What is to be done. Of the same kind, project and session there is one order: a later one takes its place. */
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

/** What work came to. */
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
export type WorkHandler = (order: WorkOrder, scene: WorkContext) => Promise<Result<WorkDone>>;

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
