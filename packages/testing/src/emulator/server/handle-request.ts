import { answerChat } from "../chat/answer-chat.ts";
import { isRecord } from "../request/is-record.ts";
import type { OpenRequest } from "../request-log.ts";
import type { WireBody } from "../wire.ts";
import { answerMessage } from "./answer-message.ts";
import { answerModels } from "./answer-models.ts";
import { apiError } from "./api-error.ts";
import { checkHeaders } from "./check-headers.ts";
import { countTokens } from "./count-tokens.ts";
import { answerError, type Exchange, maxTextLength } from "./exchange.ts";
import { readBody } from "./read-body.ts";

const malformed = apiError("invalid_request_error", "The request body is not valid JSON");
const tooLarge = apiError("request_too_large", "Request exceeds the maximum size");

/** Answers a request and writes into its record what became of it. What the emulator cannot bear is a fault with words. */
export async function handleRequest(exchange: Exchange): Promise<void> {
  try {
    await answerRequest(exchange);
  } catch (thrown) {
    const message = thrown instanceof Error ? thrown.message : String(thrown);
    const error = apiError("api_error", `emulator: ${message}`, { "x-should-retry": "false" });
    if (!exchange.response.headersSent) return answerError(exchange, error, "fault");
    exchange.response.destroy();
  }
}

async function answerRequest(exchange: Exchange): Promise<void> {
  const { request, route, record, emulation } = exchange;
  const body = await readBody(request);
  if (body.state === "abandoned") {
    record.outcome = "abandoned";
    return;
  }
  record.bodyBytes = body.bytes;
  const wrong = route.error ?? checkHeaders(request.headers, route.api, emulation.keys);
  if (wrong !== null) return answerError(exchange, wrong, "refused");
  if (body.state === "too-large") return answerError(exchange, tooLarge, "refused");
  if (route.endpoint === "models" || route.endpoint === "model") return answerModels(exchange);
  const json = parse(body.text);
  if (json === undefined) return answerError(exchange, malformed, "refused");
  if (isRecord(json)) noteBody(record, json);
  if (route.endpoint === "chat_completions") return answerChat(exchange, json);
  return route.endpoint === "count_tokens" ? countTokens(exchange, json) : answerMessage(exchange, json);
}

function noteBody(record: OpenRequest, body: WireBody): void {
  record.body = body;
  record.isStream = body.stream === true;
  if (typeof body.model === "string") record.model = body.model.slice(0, maxTextLength);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
