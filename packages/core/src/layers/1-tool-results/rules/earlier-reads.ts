import { isBlock, type ToolUseBlock, type View } from "../../../spec/index.ts";
import { readToolPurpose } from "../../../view/ledgers/tool-call.ts";
import { resultMedia, resultText } from "../../../view/projection/result-content.ts";
import type { UnsettledResult } from "./unsettled-rounds.ts";

/** Finds what a file's read had brought before. */
export interface EarlierReads {
  /** One line that says where the very same text of the same file stands; `undefined` where it stands nowhere. */
  referenceFor(result: UnsettledResult): string | undefined;
}

/** Knows the reads whose results stand whole in the view, and will: the choice for them is frozen. */
export function earlierReads(view: View, logAddress?: string): EarlierReads {
  const calls = new Map<string, string>();
  const reads = new Map<string, { readonly toolUseId: string; readonly text: string }>();
  for (const { block, decision } of view.items) {
    if (isBlock(block, "tool_use")) {
      const key = readKey(block);
      if (key !== undefined) calls.set(block.id, key);
    }
    if (!isBlock(block, "tool_result") || decision !== undefined || block.is_error) continue;
    const key = view.settledResults.has(block.tool_use_id) ? calls.get(block.tool_use_id) : undefined;
    if (key !== undefined) reads.set(key, { toolUseId: block.tool_use_id, text: resultText(block) });
  }
  return {
    referenceFor({ block, call }) {
      const key = call && !block.is_error && resultMedia(block).length === 0 ? readKey(call) : undefined;
      const earlier = key === undefined ? undefined : reads.get(key);
      if (earlier === undefined || earlier.text !== resultText(block)) return undefined;
      const again = logAddress === undefined ? " Recall with that id gives it again." : "";
      const sentence = `(Unchanged: this is word for word the result of tool use ${earlier.toolUseId} above.${again})`;
      return sentence.length < earlier.text.length ? sentence : undefined;
    },
  };
}

/** Two reads with one key ask for the same part of the same file. */
function readKey(call: ToolUseBlock): string | undefined {
  const purpose = readToolPurpose(call);
  if (purpose.purpose !== "file" || purpose.action !== "read") return undefined;
  return JSON.stringify([purpose.path, purpose.range]);
}
