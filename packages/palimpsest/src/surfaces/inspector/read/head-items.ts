import { estimateBlock, padEstimate, parseJson, toDefinition, toolText } from "@palimpsest/core/internal";
import type { BlobRef, TextBlock, Tool } from "@palimpsest/core/spec";
import { categoryNumbers, firstWords, type RegisteredItem } from "./item-register.ts";

/** The blocks of a system prompt as they were stored; none where they cannot be read. */
export function readSystem(ref: BlobRef | undefined): readonly TextBlock[] {
  return readList<TextBlock>(ref).filter((block) => typeof block?.text === "string");
}

/** The tools as they were stored. Those whose definitions are sent only when asked for are no part of the head. */
export function readTools(ref: BlobRef | undefined): readonly Tool[] {
  return readList<Tool>(ref).filter((tool) => typeof tool?.name === "string");
}

export function systemItems(ref: BlobRef | undefined, seq: number): readonly RegisteredItem[] {
  return readSystem(ref).map((block, index) => ({
    item: {
      origin: `system ${ref?.blob ?? ""}#${index}`,
      seq,
      role: "system",
      kind: "text",
      category: categoryNumbers.get("systemPrompt") ?? 0,
      tokens: padEstimate(estimateBlock(block)),
      state: "whole",
      title: firstWords(block.text),
      hasOriginal: false,
    },
    mediaPart: 0,
    place: { seq, part: "system", index },
  }));
}

export function toolItems(ref: BlobRef | undefined, seq: number): readonly RegisteredItem[] {
  return readTools(ref).flatMap((tool, index): readonly RegisteredItem[] => {
    if (tool.isDeferred) return [];
    const definition = toDefinition(tool);
    const { name } = definition;
    const category = name.startsWith("mcp__") ? "mcpTools" : "builtInTools";
    return [
      {
        item: {
          origin: `tools ${ref?.blob ?? ""}#${index}`,
          seq,
          role: "tools",
          kind: "tool",
          category: categoryNumbers.get(category) ?? 0,
          tokens: padEstimate(estimateBlock(toolText(definition))),
          state: "whole",
          title: firstWords(name),
          hasOriginal: false,
        },
        mediaPart: 0,
        place: { seq, part: "tools", index },
      },
    ];
  });
}

/** Stands for what was sent before the messages where the log does not have it. */
export function unrecordedHead(tokens: number): RegisteredItem {
  return {
    item: {
      origin: "unseen#0",
      seq: 0,
      role: "system",
      kind: "unseen",
      category: categoryNumbers.get("systemPrompt") ?? 0,
      tokens,
      state: "whole",
      title: "System prompt and tools, not in the transcript",
      hasOriginal: false,
    },
    mediaPart: 0,
    text: "The transcript does not hold the system prompt and the tools. This is what the first request took beyond what it does hold.",
  };
}

function readList<Value>(ref: BlobRef | undefined): readonly Value[] {
  if (ref?.text === undefined) return [];
  const value = parseJson(ref.text);
  return Array.isArray(value) ? (value as readonly Value[]) : [];
}
