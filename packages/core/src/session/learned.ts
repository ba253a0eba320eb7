import type { LearnedStore } from "../spec/index.ts";
import {
  addPauses,
  assumedPauses,
  type Pauses,
  readPauses,
  type SessionUse,
  withEnd,
  withPause,
} from "../view/economics/pauses.ts";
import {
  type CacheTtl,
  expectedRequestsLeft,
  noGaps,
  readGaps,
  shortTtlMs,
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
  /** Those in which a user stays away, for one kind of use. */
  readonly pauses: LearnedPauses;
  /** A response came so long after the one before it. */
  see(gapMs: number): void;
  /** Requests that are expected until the cache is cold. */
  requestsLeft(ttl: CacheTtl): number;
  settle(): Promise<void>;
}

export async function loadLearnedGaps(
  store: LearnedStore | undefined,
  use: SessionUse = "unattended",
): Promise<LearnedGaps> {
  const stored = await store?.read(gapsName);
  const pauses = await loadLearnedPauses(store, use);
  let gaps = store ? readGaps(stored?.ok ? stored.value : undefined) : noGaps;
  /** Gaps of this session since it was stored last. */
  const own: number[] = [];

  return {
    pauses,
    see(gapMs) {
      gaps = withGap(gaps, gapMs);
      if (store) own.push(gapMs);
    },
    requestsLeft: (ttl) => expectedRequestsLeft(gaps, ttl),
    async settle() {
      await pauses.settle();
      if (!store || own.length === 0) return;
      const others = await store.read(gapsName);
      const merged = own.splice(0).reduce(withGap, readGaps(others.ok ? others.value : undefined));
      await store.write(gapsName, { version: 1, ...merged });
    },
  };
}

/** Under which name the pauses are kept. */
export const pausesName = "pauses";

/** How long a user stays away in sessions of one kind of use, learned by this session and those before it. */
export interface LearnedPauses {
  readonly use: SessionUse;
  /** What was learned, with what is assumed before. */
  current(): Pauses;
  /** A request was sent so long after the one before it. */
  see(gapMs: number): void;
  /** A session has begun: the one before it has ended. */
  begin(): void;
  settle(): Promise<void>;
}

async function loadLearnedPauses(store: LearnedStore | undefined, use: SessionUse): Promise<LearnedPauses> {
  const stored = await store?.read(pausesName);
  let learned = readPauses(stored?.ok ? stored.value : undefined)[use];
  /** Of this session since it was stored last. */
  let own: ((pauses: Pauses) => Pauses)[] = [];

  function take(change: (pauses: Pauses) => Pauses): void {
    learned = change(learned);
    if (store) own.push(change);
  }

  return {
    use,
    current: () => addPauses(assumedPauses[use], learned),
    see(gapMs) {
      if (gapMs >= shortTtlMs) take((pauses) => withPause(pauses, gapMs));
    },
    begin: () => take(withEnd),
    async settle() {
      if (!store || own.length === 0) return;
      const changes = own;
      own = [];
      const others = await store.read(pausesName);
      const known = readPauses(others.ok ? others.value : undefined);
      const merged = changes.reduce((pauses, change) => change(pauses), known[use]);
      await store.write(pausesName, { version: 1, ...known, [use]: merged });
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
