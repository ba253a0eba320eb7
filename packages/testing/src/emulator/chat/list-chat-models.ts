import type { FoundModel } from "../emulated-models.ts";
import { type ApiError, apiError } from "../server/api-error.ts";

/** A model as chat servers list it, with the window in the field that vLLM has for it. */
export function toChatModel({ model, capabilities }: FoundModel) {
  return {
    id: model.id,
    object: "model",
    created: Math.floor(Date.parse(model.createdAt ?? "1970-01-01T00:00:00Z") / 1_000),
    owned_by: "emulator",
    max_model_len: capabilities.contextWindow,
  };
}

/** All of them at once: chat servers know no pages. */
export function listChatModels(models: readonly FoundModel[]) {
  return { object: "list", data: models.map(toChatModel) };
}

interface ChatWording {
  readonly status?: number;
  readonly type: string;
  readonly code: string | null;
}

/** How errors of the Messages API are said here, so that one script serves both. */
const wordings: Readonly<Record<string, ChatWording>> = {
  authentication_error: { type: "invalid_request_error", code: "invalid_api_key" },
  permission_error: { type: "invalid_request_error", code: "insufficient_permissions" },
  not_found_error: { type: "invalid_request_error", code: null },
  request_too_large: { type: "invalid_request_error", code: "request_too_large" },
  rate_limit_error: { type: "requests", code: "rate_limit_exceeded" },
  api_error: { type: "server_error", code: null },
  overloaded_error: { status: 503, type: "server_error", code: null },
};

/** An error as chat completions say it; what has a code of its own keeps it. */
export function toChatError(error: ApiError): ApiError {
  const wording = Object.hasOwn(wordings, error.type) ? wordings[error.type] : undefined;
  const { status, type, code } = wording ?? { type: error.type, code: null };
  return {
    ...error,
    status: error.status === 529 ? (status ?? 503) : error.status,
    type,
    param: error.param ?? null,
    code: error.code === undefined ? code : error.code,
  };
}

/** The body of the response, and of a chunk inside a stream. */
export function chatErrorBody(error: ApiError): Readonly<Record<string, unknown>> {
  const { message, type, param, code } = toChatError(error);
  return { error: { message, type, param, code } };
}

export function contextLengthError(tokens: number, window: number): ApiError {
  const message = `This model's maximum context length is ${window} tokens. However, your messages resulted in ${tokens} tokens. Please reduce the length of the messages.`;
  return {
    ...apiError("invalid_request_error", message),
    param: "messages",
    code: "context_length_exceeded",
  };
}
