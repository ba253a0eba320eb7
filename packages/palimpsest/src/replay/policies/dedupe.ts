import type { Policy } from "../policy.ts";
import { createClearLayer } from "./clear-layer.ts";
import type { StandingResult } from "./tool-results.ts";

/** Of results that say the very same after the very same call, only the newest stays; nothing else is touched. */
export const dedupe: Policy = {
  name: "dedupe",
  createLayers: () => [createClearLayer({ id: "dedupe", hasHandles: true, choose: createRepeated() })],
};

/** A result that stands says the same as long as it stands: what it says is put together once. */
function createRepeated(): (results: readonly StandingResult[]) => readonly StandingResult[] {
  const known = new Map<string, string>();

  function contentOf({ toolUseId, tool, input, text }: StandingResult): string {
    const content = known.get(toolUseId) ?? JSON.stringify([tool, input, text]);
    known.set(toolUseId, content);
    return content;
  }

  return (results) => {
    const newest = new Map(results.map((result) => [contentOf(result), result.toolUseId]));
    return results.filter(
      (result) => result.isClearable && newest.get(contentOf(result)) !== result.toolUseId,
    );
  };
}
