import { createMicrocompactLayer } from "@palimpsest/core";
import type { Policy } from "../policy.ts";

/** Layer 2 as it is by default: free clearing when the cache is cold, and else what pays. */
export const economic: Policy = {
  name: "economic",
  isPriceSensitive: true,
  createLayers: () => [createMicrocompactLayer()],
};
