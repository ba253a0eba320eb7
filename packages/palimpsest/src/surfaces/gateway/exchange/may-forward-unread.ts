/** What is known of a request before it is read, and of the conversation that it seems to go on with. */
export interface UnreadFacts {
  readonly bytes: number;
  /** Of the request before. */
  readonly formerBytes: number;
  /** From where the newest response stands to the end. */
  readonly bytesBehindResponse: number;
  /** Prompt and answer of the newest response, as the provider counted them. */
  readonly countedTokens: number;
  /** Compaction begins here. */
  readonly autoTokens: number;
  readonly idleMs: number;
}

/** No result among so few new bytes is large enough to go to disk. */
const maxAddedBytes = 45_000;
/** Texts of every language have more bytes than this a token. */
const minBytesPerToken = 2;
/** Smaller ones are read in no time. */
const minBytes = 65_536;
/** What a request may lose of its history, as markers that moved, before somebody has to look at it. */
const maxLostBytes = 1_000;
/** After this the prompt cache may be cold, and clearing free. */
const warmMs = 240_000;

/** Whether what is new in a request cannot make any layer act, whatever it says. Pure. */
export function mayForwardUnread(facts: UnreadFacts): boolean {
  const { bytes, formerBytes, bytesBehindResponse, countedTokens, autoTokens, idleMs } = facts;
  const added = Math.max(bytesBehindResponse, bytes - formerBytes);
  if (countedTokens === 0 || added > maxAddedBytes || idleMs >= warmMs) return false;
  if (bytes < minBytes || bytes < formerBytes - maxLostBytes) return false;
  return countedTokens + added / minBytesPerToken < autoTokens;
}
