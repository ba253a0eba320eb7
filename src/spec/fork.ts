import type { RunBudget, RunEnd } from "./loop.ts";
import type { ContentBlock, Usage } from "./message.ts";

export type ForkKind = "notes" | "compaction" | "memory" | "collapse" | "agent";

export interface ForkOptions {
  readonly kind: ForkKind;
  /** Names of the tools it may use; the others stay defined and are denied. Absent: all that only read. */
  readonly tools?: readonly string[];
  /** Requests at most. */
  readonly turns?: number;
  readonly budget?: RunBudget;
  /** Ends the fork; the parent's own abort ends it too. */
  readonly signal?: AbortSignal;
}

export interface ForkResult {
  /** Its own log has this id. */
  readonly id: string;
  readonly end: RunEnd;
  /** Its last answer. */
  readonly content: readonly ContentBlock[];
  readonly text: string;
  readonly usage: Usage;
  readonly dollars: number;
  readonly requests: number;
  /** How much of its first prompt came from the parent's cache. */
  readonly cache: { readonly promptTokens: number; readonly readTokens: number; readonly share: number };
}
