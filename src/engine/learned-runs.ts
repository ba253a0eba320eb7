import {
  expectedRequestsLeft,
  type RequestRuns,
  readRuns,
  withRequest,
} from "../context/economics/request-runs.ts";
import type { LearnedStore } from "../spec/index.ts";

/** Under which name the runs are kept. */
export const runsName = "request-runs";

/** How many requests follow each other while the cache is warm, learned by this session and those before it. */
export interface LearnedRuns {
  /** A response came; `isCold`: the cache had gone cold before its request. */
  see(isCold: boolean): void;
  /** Expected until the cache is cold. */
  readonly requestsLeft: number;
  settle(): Promise<void>;
}

export async function loadLearnedRuns(store: LearnedStore | undefined): Promise<LearnedRuns> {
  const stored = await store?.read(runsName);
  let runs = readRuns(stored?.ok ? stored.value : undefined);
  /** What this session has seen since it was stored last. */
  const own: boolean[] = [];

  return {
    see(isCold) {
      runs = withRequest(runs, isCold);
      own.push(isCold);
    },
    get requestsLeft() {
      return expectedRequestsLeft(runs);
    },
    async settle() {
      if (!store || own.length === 0) return;
      const others = await store.read(runsName);
      const before = readRuns(others.ok ? others.value : undefined);
      const merged = own.splice(0).reduce<RequestRuns>(withRequest, before);
      await store.write(runsName, merged);
    },
  };
}
