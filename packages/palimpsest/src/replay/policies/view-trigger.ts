import type { Policy } from "../policy.ts";
import { apiKeeps, apiTriggerTokens } from "./api-default.ts";
import { createClearLayer } from "./clear-layer.ts";
import { allButNewest } from "./tool-results.ts";

/** The API's trigger, asked of the view as it was cleared before: it fires only while what is left is over it. */
export const viewTrigger: Policy = {
  name: "view-trigger",
  createLayers: () => [
    createClearLayer({
      id: "view-trigger",
      hasHandles: false,
      choose: (results, { count }) =>
        count.tokens > apiTriggerTokens ? allButNewest(results, apiKeeps) : [],
    }),
  ],
};
