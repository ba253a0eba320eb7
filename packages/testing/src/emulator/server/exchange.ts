import type { IncomingMessage, ServerResponse } from "node:http";
import { chatErrorBody, toChatError } from "../chat/list-chat-models.ts";
import type { RequestOutcome } from "../recorded-request.ts";
import type { OpenRequest } from "../request-log.ts";
import { type ApiError, errorBody } from "./api-error.ts";
import type { Emulation } from "./emulation.ts";
import type { Refusal } from "./judge-request.ts";
import type { Route } from "./route-request.ts";
import { type SendingEnd, sendJson } from "./send-stream.ts";

const maxViolations = 100;
/** More is not recorded of names and messages that come from outside. */
export const maxTextLength = 1_000;

/** One request on its way to an answer. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly url: URL;
  readonly route: Route;
  readonly record: OpenRequest;
  readonly emulation: Emulation;
}

/** Answers with a document, and records it before the client can see it. */
export async function answerJson({ response, record }: Exchange, body: object): Promise<void> {
  Object.assign(record, { status: 200, outcome: "answered" });
  noteEnd(record, await sendJson({ response, requestId: record.requestId, status: 200, body }));
}

/** Answers with an error, and records it before the client can see it. */
export async function answerError(
  { response, record, route }: Exchange,
  error: ApiError,
  outcome: RequestOutcome,
): Promise<void> {
  const isChat = route.api === "chat";
  const { requestId } = record;
  const { type, message, status, headers } = isChat ? toChatError(error) : error;
  Object.assign(record, { status, outcome, error: { type, message: message.slice(0, maxTextLength) } });
  const body = isChat ? chatErrorBody(error) : errorBody(error, requestId);
  noteEnd(record, await sendJson({ response, requestId, status, body, ...(headers && { headers }) }));
}

/** Answers a request that breaks rules with the first of them. */
export function answerRefusal(exchange: Exchange, { error, violations }: Refusal): Promise<void> {
  exchange.record.violations = violations.slice(0, maxViolations);
  return answerError(exchange, error, "refused");
}

/** A client that left in the middle changes what became of a request. */
export function noteEnd(record: OpenRequest, end: SendingEnd): void {
  if (end === "abandoned") record.outcome = "abandoned";
}
