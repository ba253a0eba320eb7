import type { Policy } from "../policy.ts";
import { apiDefault } from "./api-default.ts";
import { coldOnly } from "./cold-only.ts";
import { dropAll } from "./drop-all.ts";
import { economic } from "./economic.ts";
import { identity } from "./identity.ts";
import { oracle } from "./oracle.ts";
import { randomEviction } from "./random-eviction.ts";
import { slidingMask } from "./sliding-mask.ts";
import { tokenThreshold } from "./token-threshold.ts";
import { viewTrigger } from "./view-trigger.ts";

/** The policies in the box, in the order of the report. The first is what the others are compared with. */
export const policies: readonly Policy[] = [
  identity,
  slidingMask,
  tokenThreshold,
  apiDefault,
  viewTrigger,
  coldOnly,
  economic,
  randomEviction,
  dropAll,
  oracle,
];
