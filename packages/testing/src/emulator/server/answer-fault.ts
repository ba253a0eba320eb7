import { contextLengthError } from "../chat/chat-error.ts";
import type { Fault } from "../script/fault.ts";
import { apiError } from "./api-error.ts";
import { answerError, type Exchange } from "./exchange.ts";
import { sendJson } from "./send-json.ts";

/** Lets a request fail as the script wants it; `body` is what would have been answered. */
export async function answerFault(exchange: Exchange, fault: Fault, body?: object): Promise<void> {
  const { response, record, emulation } = exchange;
  record.outcome = "fault";
  if (fault.fault === "error") return answerError(exchange, fault.error, "fault");
  if (fault.fault === "too-long") {
    const window = emulation.models.findAny(record.model ?? "")?.capabilities.contextWindow ?? 0;
    const tokens = Math.max(record.promptTokens ?? 0, window + 1);
    const message = `prompt is too long: ${tokens} tokens > ${window} maximum`;
    const isChat = exchange.route.api === "chat";
    const error = isChat ? contextLengthError(tokens, window) : apiError("invalid_request_error", message);
    return answerError(exchange, error, "fault");
  }
  if (fault.fault === "drop") {
    response.destroy();
    return;
  }
  if (fault.fault === "stream-error" && fault.error !== undefined) {
    return answerError(exchange, fault.error, "fault");
  }
  record.status = 200;
  await sendJson({ response, requestId: record.requestId, status: 200, body, fault });
}
