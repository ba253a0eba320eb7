/** Why a prefix was not found in the cache, in the API's own words. */
export type CacheBreakReason =
  | "model_changed"
  | "tools_changed"
  | "system_changed"
  | "messages_changed"
  | "ttl_expired"
  | "unavailable";

/**
 * What a request finds in the provider's prompt cache. `hit`: all that the request before left there. `expected-break`:
 * less, and it was known before the request was sent. `unexpected-break`: less, and nothing explains it.
 */
export type CacheKind = "hit" | "expected-break" | "unexpected-break";

export interface CacheJudgement {
  readonly kind: CacheKind;
  /** Absent for a hit. */
  readonly reason?: CacheBreakReason;
  /** The first block that is not read from the cache, counted over tools, system and messages. */
  readonly firstBlock: number;
  /** One line for a person. */
  readonly why: string;
  /** What reading again what could have been read costs; 0 for a hit, and before the response is there. */
  readonly dollars: number;
}
