import type { Policy } from "../policy.ts";
import { apiDefault, viewTrigger } from "./api-default.ts";
import { dropAll, identity, recorded, recordedSimulated } from "./baseline-policies.ts";
import { dedupe, recency, slidingMask } from "./clear-by-age.ts";
import { coldOnly } from "./cold-only.ts";
import { economic } from "./economic.ts";
import { engine, faithful, scribe, thrifty } from "./engine.ts";
import { oracle } from "./oracle.ts";
import { randomEviction } from "./random-eviction.ts";
import { tokenThreshold } from "./token-threshold.ts";

/** The policies in the box, in the order of the report. The first is what the others are compared with. */
export const policies: readonly Policy[] = [
  identity,
  faithful,
  thrifty,
  engine,
  recorded,
  recordedSimulated,
  recency,
  slidingMask,
  tokenThreshold,
  apiDefault,
  viewTrigger,
  coldOnly,
  economic,
  dedupe,
  scribe,
  randomEviction,
  dropAll,
  oracle,
];
