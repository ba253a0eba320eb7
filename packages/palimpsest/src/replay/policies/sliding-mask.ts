import type { Policy } from "../policy.ts";
import { createClearLayer } from "./clear-layer.ts";
import { allButNewest } from "./tool-results.ts";

const keeps = 10;

/** Results older than the newest ten are masked, of any tool, at every step, without a way back. */
export const slidingMask: Policy = {
  name: "sliding-mask",
  createLayers: () => [
    createClearLayer({
      id: "sliding-mask",
      hasHandles: false,
      choose: (results) => allButNewest(results, keeps),
    }),
  ],
};
