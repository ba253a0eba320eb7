import type { SentBlock } from "../server/cut-blocks.ts";
import { pieces } from "../server/stream-events.ts";
import { argumentsOf, type Completion, frameOf, toChatUsage } from "./completion.ts";
import { toFinishReason } from "./shape-chat.ts";

/** What stands behind one `data:` of a stream: a chunk, or the mark of its end. */
export type ChatChunk = Readonly<Record<string, unknown>> | "[DONE]";

/** The same answer as `toCompletionBody` in chunks. */
export function* chatChunks(completion: Completion): Generator<ChatChunk> {
  const { answer, usage, hasUsage } = completion;
  const frame = frameOf(completion, "chat.completion.chunk");
  const chunk = (delta: object, finishReason: string | null = null): ChatChunk => ({
    ...frame,
    choices: [{ index: 0, delta, logprobs: null, finish_reason: finishReason }],
    ...(hasUsage && { usage: null }),
  });
  yield chunk({ role: "assistant", content: "", refusal: null });
  let call = -1;
  for (const block of answer.content) {
    if (block.type === "tool_use") call += 1;
    const json = block.type === "tool_use" ? argumentsOf(answer, block) : "";
    for (const delta of deltasOf(block, call, json)) yield chunk(delta);
  }
  yield chunk({}, toFinishReason(answer));
  if (hasUsage) yield { ...frame, choices: [], usage: toChatUsage(usage) };
  yield "[DONE]";
}

function* deltasOf(block: SentBlock, index: number, json: string): Generator<object> {
  if (block.type === "thinking")
    for (const text of pieces(String(block.thinking))) yield { reasoning_content: text };
  else if (block.type === "text") for (const text of pieces(String(block.text))) yield { content: text };
  else if (block.type === "refusal")
    for (const text of pieces(String(block.refusal))) yield { refusal: text };
  else {
    const { id, name } = block;
    yield { tool_calls: [{ index, id, type: "function", function: { name, arguments: "" } }] };
    for (const piece of pieces(json)) yield { tool_calls: [{ index, function: { arguments: piece } }] };
  }
}
