import type { LearnedStore } from "../spec/index.ts";
import {
  type CacheTtl,
  expectedRequestsLeft,
  noGaps,
  type RequestGaps,
  readGaps,
  withGap,
} from "../view/economics/request-gaps.ts";
import {
  type Calibration,
  createCalibration,
  type Features,
  mergeCalibrationStates,
} from "../view/tokens/index.ts";

/** Under which name the gaps are kept. */
export const gapsName = "request-gaps";

/** How long a user's requests are apart, learned by this session and those before it. */
export interface LearnedGaps {
  /** Gaps learned by earlier sessions. */
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
  /** Gaps of this session since it was stored last. */
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

/** Under which name the rates are kept. */
export const ratesName = "token-rates";
/** They are stored whenever this many new observations came together, and at the end of a session. */
export const savedEveryObservations = 20;

/** How many tokens text has, learned by this session and those before it. */
export interface LearnedRates {
  readonly calibration: Calibration;
  observe(model: string, features: Features, tokens: number): void;
  /** Nobody waits for it while a session runs; `settle` does. What cannot be stored is learned anew next time. */
  saveIfDue(): void;
  /** Stores what is not stored yet. */
  settle(): Promise<void>;
  /** Why what was learned before is not used. */
  readonly problem?: string;
}

export async function loadLearnedRates(store: LearnedStore | undefined): Promise<LearnedRates> {
  const stored = await store?.read(ratesName);
  const calibration = createCalibration(stored?.ok ? stored.value : undefined);
  const problem = stored?.ok === false ? stored.error.message : calibration.problem;
  let unsaved = 0;
  let saving: Promise<unknown> = Promise.resolve();

  function save(): void {
    if (!store || unsaved === 0) return;
    unsaved = 0;
    saving = saving.then(async () => {
      const others = await store.read(ratesName);
      const mine = calibration.state();
      await store.write(ratesName, others.ok ? mergeCalibrationStates(others.value, mine) : mine);
    });
  }

  return {
    calibration,
    observe(model, features, tokens) {
      calibration.observe(model, features, tokens);
      unsaved += 1;
    },
    saveIfDue() {
      if (unsaved >= savedEveryObservations) save();
    },
    async settle() {
      save();
      await saving;
    },
    ...(problem !== undefined && { problem }),
  };
}
