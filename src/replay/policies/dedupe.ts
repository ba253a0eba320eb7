import type { Policy } from "../policy.ts";
import { createClearLayer } from "./clear-layer.ts";
import type { StandingResult } from "./tool-results.ts";

/** Of results that say the very same after the very same call, only the newest stays; nothing else is touched. */
export const dedupe: Policy = {
  name: "dedupe",
  createLayers: () => [
    createClearLayer({ id: "dedupe", hasHandles: true, choose: (results) => repeated(results) }),
  ],
};

function repeated(results: readonly StandingResult[]): readonly StandingResult[] {
  const newest = new Map(results.map((result) => [contentOf(result), result.toolUseId]));
  return results.filter((result) => result.isClearable && newest.get(contentOf(result)) !== result.toolUseId);
}

function contentOf({ tool, input, text }: StandingResult): string {
  return JSON.stringify([tool, input, text]);
}
