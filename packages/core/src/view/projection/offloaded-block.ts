import type { OffloadDecision, ToolResultBlock } from "../../spec/index.ts";
import { firstChars } from "../first-chars.ts";
import { resultMedia, resultText } from "./result-content.ts";

/** What a decision puts in place of a result's text; its images stay behind it, and so does whether it failed. */
export function offloadedBlock(
  block: ToolResultBlock,
  { preview, keptChars = 0, mediaLabel }: Omit<OffloadDecision["results"][number], "toolUseId">,
): ToolResultBlock {
  if (preview === null && mediaLabel === undefined) return block;
  const whole = resultText(block);
  const kept = firstChars(whole, keptChars);
  const words = preview === null ? whole : kept === "" ? preview : `${kept}\n${preview}`;
  const text = mediaLabel === undefined ? words : `${words}\n${mediaLabel}`.trimStart();
  const media = mediaLabel === undefined ? resultMedia(block) : [];
  return { ...block, content: media.length === 0 ? text : [{ type: "text", text }, ...media] };
}
