import type { Entry } from "../spec/index.ts";

/** What a response says of the request it answers. */
export interface AnsweredRequest {
  /** Absent where the response does not name who answered. */
  readonly model?: string;
  /** Tokens that were in the provider's cache once it had answered. */
  readonly cachedTokens: number;
  readonly atMs: number;
}

/** The newest requests of a log that were answered, live or not: what a provider has cached knows no undo. */
export interface AnsweredRequests {
  /** Takes note of an entry that was appended. */
  see(entry: Entry): void;
  /** The request with exactly the prefix of that digest; absent where none was answered. */
  find(prefixDigest: string): AnsweredRequest | undefined;
  /** A second one that goes on from here by itself. */
  copy(): AnsweredRequests;
}

/** After a part was compacted or taken back, an earlier request is the newest that the view still begins with. */
const rememberedRequests = 64;

export function createAnsweredRequests(
  start: ReadonlyMap<string, AnsweredRequest> = new Map(),
): AnsweredRequests {
  const answered = new Map(start);

  return {
    find: (digest) => answered.get(digest),
    copy: () => createAnsweredRequests(answered),
    see(entry) {
      if (entry.kind !== "message" || entry.message.type !== "assistant") return;
      const { prefixDigest, model, usage, isSidechain, isAborted } = entry.message;
      if (prefixDigest === undefined || isSidechain || isAborted || model === "<synthetic>") return;
      const before = answered.get(prefixDigest);
      const cachedTokens = usage ? usage.cacheRead + usage.cacheCreation : (before?.cachedTokens ?? 0);
      const atMs = Date.parse(entry.at);
      answered.delete(prefixDigest);
      answered.set(prefixDigest, { cachedTokens, atMs, ...(model !== undefined && { model }) });
      for (const oldest of answered.keys()) {
        if (answered.size <= rememberedRequests) break;
        answered.delete(oldest);
      }
    },
  };
}
