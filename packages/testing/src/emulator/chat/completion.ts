import type { SentBlock } from "../server/cut-blocks.ts";
import type { ShapedAnswer } from "../server/shape-answer.ts";
import type { WireUsage } from "../wire.ts";
import { toFinishReason } from "./shape-chat.ts";

/** A whole answer with everything around it. */
export interface Completion {
  readonly id: string;
  /** What the answer calls its model; absent: it does not say. */
  readonly model: string | undefined;
  readonly createdSeconds: number;
  readonly answer: ShapedAnswer;
  readonly usage: WireUsage;
  /** Whether a stream ends with the usage. */
  readonly hasUsage: boolean;
}

/** Token usage as chat completions write it. */
export function toChatUsage(usage: WireUsage) {
  const { input_tokens: input, cache_read_input_tokens: cached, output_tokens: output } = usage;
  return {
    prompt_tokens: input + cached,
    completion_tokens: output,
    total_tokens: input + cached + output,
    prompt_tokens_details: { cached_tokens: cached, audio_tokens: 0 },
    completion_tokens_details: {
      reasoning_tokens: usage.output_tokens_details.thinking_tokens,
      audio_tokens: 0,
      accepted_prediction_tokens: 0,
      rejected_prediction_tokens: 0,
    },
  };
}

/** The fields that every chunk repeats. */
export function frameOf({ id, model, createdSeconds }: Completion, object: string) {
  return {
    id,
    object,
    created: createdSeconds,
    model,
    service_tier: "default",
    system_fingerprint: "fp_emulator",
  };
}

/** The body of an answer that is not streamed. */
export function toCompletionBody(completion: Completion) {
  const { answer, usage } = completion;
  const calls = answer.content.filter(({ type }) => type === "tool_use");
  const reasoning = textOf(answer, "thinking", "thinking");
  const message = {
    role: "assistant",
    content: textOf(answer, "text", "text"),
    refusal: textOf(answer, "refusal", "refusal"),
    annotations: [],
    ...(reasoning !== null && { reasoning_content: reasoning }),
    ...(calls.length > 0 && {
      tool_calls: calls.map((call) => ({
        id: call.id,
        type: "function",
        function: { name: call.name, arguments: argumentsOf(answer, call) },
      })),
    }),
  };
  return {
    ...frameOf(completion, "chat.completion"),
    choices: [{ index: 0, message, logprobs: null, finish_reason: toFinishReason(answer) }],
    usage: toChatUsage(usage),
  };
}

/** As JSON, or as far as it came where the answer was cut in it. */
export function argumentsOf({ content, partialInput }: ShapedAnswer, call: SentBlock): string {
  const isCut = partialInput !== undefined && call === content.at(-1);
  return isCut ? partialInput : JSON.stringify(call.input ?? {});
}

function textOf({ content }: ShapedAnswer, type: string, field: string): string | null {
  const block = content.find((one) => one.type === type);
  return block === undefined ? null : String(block[field]);
}
