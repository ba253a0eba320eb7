import { clearedResultLabel } from "@palimpsest/core/internal";
import { isBlock, type ViewItem } from "@palimpsest/core/spec";
import type { Policy } from "../policy.ts";
import { allButNewest, createClearLayer } from "./tool-results.ts";

/** Defaults of `clear_tool_uses_20250919`. */
const apiTriggerTokens = 100_000;
const apiKeeps = 3;

/**
 * The API's context editing with its defaults: over 100,000 input tokens all but the newest 3 tool uses are cleared,
 * of any tool. The client sends the whole history every time, so that once it is over, every request is edited.
 */
export const apiDefault: Policy = {
  name: "api-default",
  createLayers: () => [
    createClearLayer({
      id: "api-default",
      hasHandles: false,
      choose: (results, { count, items }) =>
        count.tokens > apiTriggerTokens || items.some(isClearedResult) ? allButNewest(results, apiKeeps) : [],
    }),
  ],
};

function isClearedResult({ block, decision }: ViewItem): boolean {
  return decision !== undefined && isBlock(block, "tool_result") && block.content === clearedResultLabel;
}

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
