import type { ProcessIdentity } from "../machine/process.ts";
import type { Result } from "../result.ts";

export interface LeaseHolder extends ProcessIdentity {
  readonly token: string;
  readonly epoch: number;
  /** The clock's time of the last sign of life, in milliseconds. */
  readonly heartbeatMs: number;
}

export interface AcquireOptions {
  /** Take it from a holder that cannot be proven dead, if its heartbeat is older than the lease's patience. */
  readonly takeOver?: boolean;
  /** The epoch will be over this. */
  readonly above?: number;
}

/** At most one holder per name. A live holder keeps it, however long it is paused. */
export interface LeaseStore {
  /** `held`, with the holder in the error's facts, when somebody has it. */
  acquire(name: string, options?: AcquireOptions): Promise<Result<Lease>>;
  /** Who has it now; `null` if it is free. Says nothing about whether the holder still lives. */
  holder(name: string): Promise<Result<LeaseHolder | null>>;
  /** Forgets a name whose thing is gone. */
  forget(name: string): Promise<Result<void>>;
}

export interface Lease {
  readonly epoch: number;
  readonly token: string;
  /** True once it is known that another process has taken the lease; never turns back. */
  readonly lost: boolean;
  /** Set when the lease was taken from a holder not proven dead: it may still write. */
  readonly takenOver: boolean;
  /** `fenced` once another process has it. Cheap when the last check is recent. */
  check(): Promise<Result<void>>;
  /** Keeps the lease and gives it an epoch over `above`. */
  raise(above: number): Promise<Result<void>>;
  release(): Promise<Result<void>>;
}
