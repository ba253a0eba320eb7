import type { OffloadDecision, ToolResultBlock } from "../../spec/index.ts";
import { firstChars } from "../first-chars.ts";
import { resultMedia, resultText } from "./result-content.ts";

/** What a decision puts in place of a result's text; its images stay behind it, and so does whether it failed. */
export function offloadedBlock(
  block: ToolResultBlock,
  { preview, keptChars = 0 }: Omit<OffloadDecision["results"][number], "toolUseId">,
): ToolResultBlock {
  if (preview === null) return block;
  const kept = firstChars(resultText(block), keptChars);
  const text = kept === "" ? preview : `${kept}\n${preview}`;
  const media = resultMedia(block);
  return { ...block, content: media.length === 0 ? text : [{ type: "text", text }, ...media] };
}
