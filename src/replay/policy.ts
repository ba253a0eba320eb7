import type { Layer } from "../spec/index.ts";
import type { Future } from "./grounding/future.ts";

/** What a policy may know of the replay it runs in, beside what its layers are told. */
export interface PolicyContext {
  readonly ttlMs: number;
  /** The same for the same session in every run. */
  readonly seed: number;
  /** For ceilings only: a policy that looks at it knows what nobody can know. */
  readonly future: Future;
}

/** Layers under a name, made anew for every session. They run in this order, behind the recorded boundaries. */
export interface Policy {
  readonly name: string;
  /** Its layers look at prices: it is run once for each price row. */
  readonly isPriceSensitive?: boolean;
  readonly createLayers: (context: PolicyContext) => readonly Layer[];
}
