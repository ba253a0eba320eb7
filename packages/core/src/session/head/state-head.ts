import type { TextBlock, ToolDefinition } from "../../spec/index.ts";
import { headFeatures, mostHeadTokens } from "../../view/tokens/index.ts";
import type { StateHead } from "../session-state.ts";

/** What stands before the messages of every request, as digests and counts see it. */
export function stateHead(system: readonly TextBlock[], tools: readonly ToolDefinition[]): StateHead {
  const features = headFeatures(system, tools);
  const mostTokens = mostHeadTokens(features, tools.length);
  return { bytes: JSON.stringify([system, tools]), features, mostTokens };
}
