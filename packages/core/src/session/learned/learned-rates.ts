import type { LearnedStore } from "../../spec/index.ts";
import {
  type Calibration,
  createCalibration,
  type Features,
  mergeCalibrationStates,
} from "../../view/tokens/index.ts";

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
