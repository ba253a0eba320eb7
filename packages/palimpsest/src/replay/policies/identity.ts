import type { Policy } from "../policy.ts";

/** Everything stays as it was recorded: what all others are compared with. */
export const identity: Policy = { name: "identity", createLayers: () => [] };
