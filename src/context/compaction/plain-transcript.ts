import { type ContentBlock, isBlock, type ViewItem } from "../../spec/index.ts";
import { isMedia } from "../projection/result-content.ts";
import { toRounds } from "../request/rounds.ts";
import { isThinkingBlock } from "../request/thinking-place.ts";
import type { Rounds } from "./drop-rounds.ts";

/** What is brought back behind every boundary, as it is now: a transcript needs not have it as it was. */
const restoredAttachment = /^<attachment type="(?:file|todos|plan|rules)">/;

/** A view grouped by rounds, in its own order, for a transcript of it. */
export function transcriptRounds(items: readonly ViewItem[]): Rounds {
  const told = items.filter(({ block }) => !(isBlock(block, "text") && restoredAttachment.test(block.text)));
  return toRounds(told).map(({ assistant, user }) => [...assistant, ...user]);
}

/**
 * Items as text that any model can read: who says what, calls and results by name and id. Images and documents are
 * named, also inside results; thinking is left out.
 */
export function plainTranscript(rounds: Rounds): string {
  return rounds.flatMap((round) => round.flatMap(lineOf)).join("\n\n");
}

function lineOf({ role, block }: ViewItem): readonly string[] {
  if (isThinkingBlock(block)) return [];
  if (isBlock(block, "tool_use"))
    return [`Assistant calls ${block.name} (${block.id}): ${JSON.stringify(block.input) ?? "nothing"}`];
  if (isBlock(block, "tool_result")) {
    const failed = block.is_error === true ? " failed" : "";
    return [`Result of ${block.tool_use_id}${failed}: ${contentOf(block.content)}`];
  }
  return [`${role === "user" ? "User" : "Assistant"}: ${textOf(block)}`];
}

function contentOf(content: string | readonly ContentBlock[] | undefined): string {
  return typeof content === "string" ? content : (content ?? []).map(textOf).join("\n");
}

function textOf(block: ContentBlock): string {
  if (isBlock(block, "text")) return block.text;
  if (isMedia(block)) return isBlock(block, "image") ? "[image]" : "[document]";
  if (isBlock(block, "document") && block.source.type === "text") return block.source.data;
  return JSON.stringify(block);
}
