import type { Policy } from "../policy.ts";
import { apiDefault } from "./api-default.ts";
import { coldOnly } from "./cold-only.ts";
import { dedupe } from "./dedupe.ts";
import { dropAll } from "./drop-all.ts";
import { economic } from "./economic.ts";
import { engine } from "./engine.ts";
import { identity } from "./identity.ts";
import { oracle } from "./oracle.ts";
import { randomEviction } from "./random-eviction.ts";
import { recency } from "./recency.ts";
import { recorded } from "./recorded.ts";
import { scribe } from "./scribe.ts";
import { slidingMask } from "./sliding-mask.ts";
import { tokenThreshold } from "./token-threshold.ts";
import { viewTrigger } from "./view-trigger.ts";

/** The policies in the box, in the order of the report. The first is what the others are compared with. */
export const policies: readonly Policy[] = [
  identity,
  recorded,
  recency,
  slidingMask,
  tokenThreshold,
  apiDefault,
  viewTrigger,
  coldOnly,
  economic,
  dedupe,
  scribe,
  engine,
  randomEviction,
  dropAll,
  oracle,
];
