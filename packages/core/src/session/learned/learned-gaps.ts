import type { LearnedStore } from "../../spec/index.ts";
import {
  type CacheTtl,
  expectedRequestsLeft,
  noGaps,
  type RequestGaps,
  readGaps,
  withGap,
} from "../../view/economics/request-gaps.ts";

/** Under which name the gaps are kept. */
export const gapsName = "request-gaps";

/** How long a user's requests are apart, learned by this session and those before it. */
export interface LearnedGaps {
  /** What earlier sessions have learned. */
  readonly before: RequestGaps;
  /** A response came so long after the one before it. */
  see(gapMs: number): void;
  /** Requests that are expected until the cache is cold. */
  requestsLeft(ttl: CacheTtl): number;
  settle(): Promise<void>;
}

export async function loadLearnedGaps(store: LearnedStore | undefined): Promise<LearnedGaps> {
  const stored = await store?.read(gapsName);
  const before = store ? readGaps(stored?.ok ? stored.value : undefined) : noGaps;
  let gaps = before;
  /** What this session has seen since it was stored last. */
  const own: number[] = [];

  return {
    before,
    see(gapMs) {
      gaps = withGap(gaps, gapMs);
      if (store) own.push(gapMs);
    },
    requestsLeft: (ttl) => expectedRequestsLeft(gaps, ttl),
    async settle() {
      if (!store || own.length === 0) return;
      const others = await store.read(gapsName);
      const merged = own.splice(0).reduce(withGap, readGaps(others.ok ? others.value : undefined));
      await store.write(gapsName, { version: 1, ...merged });
    },
  };
}
