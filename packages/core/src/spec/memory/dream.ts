import type { ProcessIdentity } from "../machine/process.ts";
import type { Result } from "../result.ts";

/** Who puts the memory folder in order, and since when. */
export interface ConsolidationHolder extends ProcessIdentity {
  readonly token: string;
  readonly sinceMs: number;
}

/**
 * At most one dream at a time, and when the last one succeeded. It spares work and promises nothing: what keeps two
 * dreams from harming each other is that they write by compare-and-swap.
 */
export interface ConsolidateLock {
  /** When memory was last put in order, in milliseconds; `null`: never. One look at one file. */
  lastConsolidatedMs(): Promise<Result<number | null>>;
  /** `held`, with the holder in the error's facts, while another one has it. Takes it from the dead at once. */
  acquire(): Promise<Result<Consolidation>>;
  /** Gives the lock back for a holder that died; leaves everything as it is for any other. */
  restore(): Promise<Result<"free" | "held" | "restored">>;
}

/** The lock, held. It ends by one of the two. */
export interface Consolidation {
  /** When memory was put in order before; `null`: never. */
  readonly previousMs: number | null;
  /** Memory is in order: the time of the last consolidation is now. `fenced` where another has taken over. */
  complete(): Promise<Result<void>>;
  /** It failed or was killed: the time of the last consolidation is as it was. */
  abandon(): Promise<Result<void>>;
}

/** What a dream is doing: `updating` from its first write on. */
export type DreamState = "starting" | "updating" | "completed" | "failed" | "killed";

/** Who dreams: the offline writer, or a model. */
export type DreamAuthor = "scribe" | "model";
