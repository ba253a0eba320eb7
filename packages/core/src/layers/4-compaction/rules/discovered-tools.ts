import { isBlock, type Tool, type ViewItem } from "../../../spec/index.ts";

/** Names of the tools that are not sent and were called all the same, through the one that hands calls on. */
export function discoveredTools(items: readonly ViewItem[], tools: readonly Tool[]): readonly string[] {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  const found = items.flatMap(({ block }) => {
    if (!isBlock(block, "tool_use")) return [];
    const tool = byName.get(block.name);
    const meant = tool?.standsFor?.(block.input)?.tool ?? tool;
    return meant && (meant !== tool || meant.isDeferred === true) ? [meant.name] : [];
  });
  return [...new Set(found)];
}
