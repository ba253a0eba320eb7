import { isBlock, type Message, type Moment } from "../../spec/index.ts";
import { windowFullStop } from "../../view/cut-answer.ts";
import { roleOf } from "../../view/projection/message-items.ts";

/** Stop reasons after which the model is asked again without a word of the user. */
const unfinished = new Set(["tool_use", "pause_turn", "compaction", windowFullStop]);

/** What an added message means to the layers, in order. What is attached is nobody's word: it begins nothing. */
export function momentsOf(message: Message): readonly Moment[] {
  if (roleOf(message) === null || message.type === "attachment") return [];
  return message.type === "assistant" ? responseMoments(message) : userMoments(message);
}

function responseMoments(message: Message): readonly Moment[] {
  const { usage, stopReason = null, contextManagement } = message;
  const appliedEdits = contextManagement?.applied_edits ?? [];
  const after: Moment[] = usage ? [{ kind: "after-response", usage, appliedEdits, stopReason }] : [];
  return isTurnEnd(message) ? [...after, { kind: "turn-end" }] : after;
}

/** Where no stop reason is given, a response without calls ends the turn, unless more of it may come. */
function isTurnEnd({ content, stopReason, responseId, usage }: Message): boolean {
  if (stopReason !== undefined && stopReason !== null) return !unfinished.has(stopReason);
  if (responseId !== undefined && !usage) return false;
  return typeof content === "string" || !content.some((block) => isBlock(block, "tool_use"));
}

function userMoments({ content }: Message): readonly Moment[] {
  if (typeof content === "string") return [{ kind: "turn-start", prompt: content }];
  const results = content.flatMap((block) => (isBlock(block, "tool_result") ? block.tool_use_id : []));
  if (results.length > 0) return [{ kind: "tool-round", results }];
  const prompt = content.flatMap((block) => (isBlock(block, "text") ? block.text : [])).join("\n");
  return [{ kind: "turn-start", prompt }];
}
