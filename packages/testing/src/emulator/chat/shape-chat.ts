import { measureOutput } from "../request/measure-prompt.ts";
import type { Answer, AnswerBlock } from "../script/answer.ts";
import type { SentBlock } from "../server/cut-blocks.ts";
import type { Emulation } from "../server/emulation.ts";
import { type ShapedAnswer, shapeAnswer } from "../server/shape-answer.ts";
import type { ChatAcceptance } from "./judge-chat.ts";

const finishReasons: Readonly<Record<string, string>> = {
  max_tokens: "length",
  model_context_window_exceeded: "length",
  tool_use: "tool_calls",
  refusal: "content_filter",
};

/** Ends an answer where the request's limits do. Its blocks are reasoning, text, refusal and calls, in this order. */
export function shapeChat(
  said: Answer,
  { found, whole, prompt }: ChatAcceptance,
  { ids }: Pick<Emulation, "ids">,
): ShapedAnswer {
  const { maxOutput, contextWindow } = found.capabilities;
  return shapeAnswer(
    { ...said, content: toChatBlocks(said.content) },
    {
      maxTokens: (whole.max_tokens as number | undefined) ?? maxOutput,
      roomTokens: contextWindow - prompt.tokens,
      stopSequences: (whole.stop_sequences ?? []) as readonly string[],
      toolUseId: () => ids.next("call"),
      sign: (block) => block,
      // A replayed call has no caller: it counts what it counted as output.
      measure: (blocks) => measureOutput(blocks.map(({ caller: _, ...block }) => block)),
    },
  );
}

export function toFinishReason({ stopReason }: ShapedAnswer): string {
  return Object.hasOwn(finishReasons, stopReason) ? (finishReasons[stopReason] ?? "stop") : "stop";
}

/** A message has one text and one reasoning; what it has no place for is not said. */
function toChatBlocks(content: readonly AnswerBlock[]): readonly AnswerBlock[] {
  const blocks = content as readonly SentBlock[];
  const join = (type: string, field: string) => {
    const texts = blocks.flatMap((block) => (block.type === type ? String(block[field]) : []));
    return texts.length === 0 ? [] : [{ type, [field]: texts.join("\n") }];
  };
  return [
    ...join("thinking", "thinking"),
    ...join("text", "text"),
    ...join("refusal", "refusal"),
    ...blocks.filter(({ type }) => type === "tool_use"),
  ];
}
