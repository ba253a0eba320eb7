import { cacheMissReason, type PromptSummary } from "../cache/cache-miss-reason.ts";
import { isRecord } from "../request/wire-values.ts";
import type { StreamFault } from "../script/fault.ts";
import type { WireBody } from "../wire.ts";
import { type AnswerMemory, answerFault } from "./answer-memory.ts";
import { betasOf } from "./check-headers.ts";
import { composeAnswer } from "./compose-answer.ts";
import { answerError, answerRefusal, type Exchange, noteEnd } from "./exchange.ts";
import { type Acceptance, judgeRequest } from "./judge-request.ts";
import { clientLeft, messageTexts, type SendingEnd, sendJson, sendStream } from "./send-stream.ts";
import { cacheFields } from "./shape-answer.ts";
import { answerOf, isInStream, streamEvents } from "./stream-events.ts";
import { toMessageBody, type WireMessage } from "./to-message.ts";

/** `POST /v1/messages`. The cache is looked at before the script is asked, and written when the answer begins. */
export async function answerMessage(exchange: Exchange, json: unknown): Promise<void> {
  const { request, record, emulation } = exchange;
  const whole = isRecord(json) ? emulation.threads.resolve(json) : { body: json };
  if ("error" in whole) return answerError(exchange, whole.error, "refused");
  if (isRecord(whole.body)) record.whole = whole.body;
  const judged = judgeRequest(whole.body, { emulation, betas: betasOf(request.headers), isCount: false });
  if (judged.kind === "refused") return answerRefusal(exchange, judged);
  const { asked, found, body, prompt } = judged;
  const previous = previousOf(body, emulation.memory);
  const looked = emulation.cache.look(prompt, found.model.id, previous);
  Object.assign(record, {
    model: found.model.id,
    appliedEdits: judged.edited.applied,
    ...cacheFields(prompt, looked.outcome),
  });
  const reply = await Promise.race([emulation.script.reply(record), clientLeft(exchange.response)]);
  if (reply === "abandoned") return noteEnd(record, reply);
  if (reply.kind === "fault" && !isInStream(reply)) return answerFault(exchange, reply);
  const [said, fault] = reply.kind === "fault" ? [answerOf(reply), reply] : [reply, undefined];
  const model = emulation.answeredName(asked, found);
  const composed = composeAnswer(said, judged, looked, emulation, model);
  const { shaped } = composed;
  const message: WireMessage = {
    id: emulation.ids.next("msg"),
    model,
    answer: shaped,
    usage: composed.usage,
    extra: extraFields(judged, previous, looked.outcome.readTokens),
  };
  emulation.memory.add(message.id, composed.prompt, shaped.content);
  emulation.memory.addEdits(judged.edited.deletions.map(({ key }) => key));
  if (fault === undefined) emulation.threads.keep(message.id, body, shaped.content);
  Object.assign(record, {
    status: 200,
    messageId: message.id,
    usage: message.usage,
    content: shaped.content,
    stopReason: shaped.stopReason,
    outcome: fault === undefined ? "answered" : "fault",
  });
  noteEnd(record, await send(exchange, message, composed.begin, fault));
}

function send(
  exchange: Exchange,
  message: WireMessage,
  begin: () => void,
  fault: StreamFault | undefined,
): Promise<SendingEnd> {
  const { response, record } = exchange;
  const { requestId, isStream } = record;
  const broken = fault && { fault };
  if (isStream) {
    return sendStream({
      response,
      requestId,
      events: streamEvents(message),
      texts: messageTexts,
      ...broken,
      begin(event) {
        record.events += 1;
        if (event.type === "message_start") begin();
      },
    });
  }
  if (fault?.fault === "stream-error" && fault.error !== undefined) {
    return answerFault(exchange, fault).then(() => "broken");
  }
  if (fault?.fault !== "stall") begin();
  return sendJson({ response, requestId, status: 200, body: toMessageBody(message), ...broken });
}

const bindingBeta = "thinking-binding-controls-2026-08-01";

/** The request that `diagnostics` names: null when nobody knows it, undefined when none is named. */
function previousOf({ diagnostics }: WireBody, memory: AnswerMemory): PromptSummary | null | undefined {
  if (!isRecord(diagnostics) || typeof diagnostics.previous_message_id !== "string") return undefined;
  return memory.promptOf(diagnostics.previous_message_id);
}

/** The extra fields of a response because the request asked for them. */
function extraFields(
  { body, prompt, edited, dropped, context }: Acceptance,
  previous: PromptSummary | null | undefined,
  readTokens: number,
): Readonly<Record<string, unknown>> {
  const reason = previous === undefined ? null : cacheMissReason(previous, prompt, readTokens);
  const { applied } = edited;
  const edits = isRecord(body.context_management) || applied.length > 0 ? { applied_edits: applied } : null;
  return {
    diagnostics: reason === null ? null : { cache_miss_reason: reason },
    ...(context.betas.has(bindingBeta) && { input_transformations: dropped }),
    ...((context.betas.size > 0 || edits !== null) && { context_management: edits }),
  };
}
