import type { Policy } from "../policy.ts";
import { allButNewest, clearableOf, createClearLayer } from "./tool-results.ts";

const keeps = 5;

/** When the cache is gone anyway, all but the newest five (spec/03.1). */
export const coldOnly: Policy = {
  name: "cold-only",
  createLayers: () => [
    createClearLayer({
      id: "cold-only",
      hasHandles: true,
      choose: (results, _view, { cache }) =>
        cache.state === "cold" && cache.idleMs !== undefined ? allButNewest(clearableOf(results), keeps) : [],
    }),
  ],
};
