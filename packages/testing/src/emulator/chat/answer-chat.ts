import { isRecord } from "../request/is-record.ts";
import type { StreamFault } from "../script/fault.ts";
import { answerFault } from "../server/answer-fault.ts";
import { answerOf, isInStream } from "../server/broken-answer.ts";
import { cacheFields } from "../server/cache-fields.ts";
import { answerRefusal, type Exchange, noteEnd } from "../server/exchange.ts";
import { sendJson } from "../server/send-json.ts";
import { leaving, type SendingEnd, sendStream } from "../server/send-stream.ts";
import { toUsage } from "../server/to-message.ts";
import { type ChatChunk, chatChunks } from "./chat-chunks.ts";
import { chatErrorBody } from "./chat-error.ts";
import { type Completion, toCompletionBody } from "./completion.ts";
import { judgeChat } from "./judge-chat.ts";
import { toChatOutcome } from "./measure-chat.ts";
import { shapeChat } from "./shape-chat.ts";

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
  const reply = await Promise.race([emulation.script.reply(record), leaving(exchange.response)]);
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
