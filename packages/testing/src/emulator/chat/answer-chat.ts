import { measureOutput } from "../request/measure-prompt.ts";
import { isRecord } from "../request/wire-values.ts";
import type { Answer, AnswerBlock } from "../script/answer.ts";
import type { StreamFault } from "../script/fault.ts";
import { answerFault } from "../server/answer-memory.ts";
import type { SentBlock } from "../server/cut-blocks.ts";
import type { Emulation } from "../server/emulation.ts";
import { answerRefusal, type Exchange, noteEnd } from "../server/exchange.ts";
import { clientLeft, type SendingEnd, sendJson, sendStream } from "../server/send-stream.ts";
import { cacheFields, type ShapedAnswer, shapeAnswer } from "../server/shape-answer.ts";
import { answerOf, isInStream, pieces } from "../server/stream-events.ts";
import { toUsage } from "../server/to-message.ts";
import type { WireUsage } from "../wire.ts";
import { type ChatAcceptance, judgeChat } from "./judge-chat.ts";
import { chatErrorBody } from "./list-chat-models.ts";
import { toChatOutcome } from "./measure-chat.ts";

/** `POST /v1/chat/completions`: the same scripts, faults and counts as for messages, in the words of chat completions. */
export async function answerChat(exchange: Exchange, json: unknown): Promise<void> {
  const { record, emulation } = exchange;
  const judged = judgeChat(json, emulation);
  if (judged.kind === "refused") return answerRefusal(exchange, judged);
  const { asked, found, body, prompt } = judged;
  const looked = emulation.chatCache.look(prompt, found.model.id);
  const outcome = toChatOutcome(prompt, looked.outcome);
  Object.assign(record, {
    model: found.model.id,
    whole: judged.whole,
    ...cacheFields(prompt, outcome),
  });
  const reply = await Promise.race([emulation.script.reply(record), clientLeft(exchange.response)]);
  if (reply === "abandoned") return noteEnd(record, reply);
  if (reply.kind === "fault" && !isInStream(reply)) return answerFault(exchange, reply);
  const [said, fault] = reply.kind === "fault" ? [answerOf(reply), reply] : [reply, undefined];
  const answer = shapeChat(said, judged, emulation);
  const options = isRecord(body.stream_options) ? body.stream_options : {};
  const completion: Completion = {
    id: emulation.ids.next("chatcmpl").replace("_", "-"),
    model: emulation.answeredName(asked, found),
    createdSeconds: Math.floor(emulation.clock.now() / 1_000),
    answer,
    usage: toUsage(outcome, answer.outputTokens, answer.thinkingTokens),
    hasUsage: options.include_usage === true,
  };
  Object.assign(record, {
    status: 200,
    messageId: completion.id,
    usage: completion.usage,
    content: answer.content,
    stopReason: answer.stopReason,
    outcome: fault === undefined ? "answered" : "fault",
  });
  noteEnd(record, await send(exchange, completion, looked.begin, fault));
}

const texts = {
  event: (chunk: ChatChunk) => `data: ${chunk === "[DONE]" ? chunk : JSON.stringify(chunk)}\n\n`,
  malformed: () => 'data: {"id":"chatcmpl\n\n',
  error: (error: Parameters<typeof chatErrorBody>[0]) => `data: ${JSON.stringify(chatErrorBody(error))}\n\n`,
};

function send(
  exchange: Exchange,
  completion: Completion,
  begin: () => void,
  fault: StreamFault | undefined,
): Promise<SendingEnd> {
  const { response, record } = exchange;
  const { requestId, isStream } = record;
  const broken = fault && { fault };
  if (isStream) {
    return sendStream<ChatChunk>({
      response,
      requestId,
      events: chatChunks(completion),
      texts,
      ...broken,
      begin() {
        record.events += 1;
        begin();
      },
    });
  }
  if (fault?.fault === "stream-error" && fault.error !== undefined) {
    return answerFault(exchange, fault).then(() => "broken");
  }
  if (fault?.fault !== "stall") begin();
  return sendJson({ response, requestId, status: 200, body: toCompletionBody(completion), ...broken });
}

/** The data behind one `data:` of a stream: a chunk, or the mark of its end. */
type ChatChunk = Readonly<Record<string, unknown>> | "[DONE]";

/** The same answer as `toCompletionBody` in chunks. */
function* chatChunks(completion: Completion): Generator<ChatChunk> {
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

/** A whole answer with everything around it. */
interface Completion {
  readonly id: string;
  /** The model's name in the answer; absent: it does not say. */
  readonly model: string | undefined;
  readonly createdSeconds: number;
  readonly answer: ShapedAnswer;
  readonly usage: WireUsage;
  /** Whether a stream ends with the usage. */
  readonly hasUsage: boolean;
}

/** Token usage as chat completions write it. */
function toChatUsage(usage: WireUsage) {
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
function frameOf({ id, model, createdSeconds }: Completion, object: string) {
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
function toCompletionBody(completion: Completion) {
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
function argumentsOf({ content, partialInput }: ShapedAnswer, call: SentBlock): string {
  const isCut = partialInput !== undefined && call === content.at(-1);
  return isCut ? partialInput : JSON.stringify(call.input ?? {});
}

function textOf({ content }: ShapedAnswer, type: string, field: string): string | null {
  const block = content.find((one) => one.type === type);
  return block === undefined ? null : String(block[field]);
}

const finishReasons: Readonly<Record<string, string>> = {
  max_tokens: "length",
  model_context_window_exceeded: "length",
  tool_use: "tool_calls",
  refusal: "content_filter",
};

/** Ends an answer where the request's limits do. Its blocks are reasoning, text, refusal and calls, in this order. */
function shapeChat(
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

function toFinishReason({ stopReason }: ShapedAnswer): string {
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
