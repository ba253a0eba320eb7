import type { Policy } from "../policy.ts";

/** What the recorded harness did, at what the recording says that its requests took. */
export const recorded: Policy = { name: "recorded", chargesRecordedUsage: true, createLayers: () => [] };
