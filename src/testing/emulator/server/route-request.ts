import type { Endpoint } from "../recorded-request.ts";
import { type ApiError, apiError } from "./api-error.ts";

export interface Route {
  readonly endpoint: Endpoint;
  /** Of `GET /v1/models/{id}`. */
  readonly modelId?: string;
  /** The request cannot be answered as it is. */
  readonly error?: ApiError;
}

const methods: Readonly<Record<string, { readonly endpoint: Endpoint; readonly method: string }>> = {
  "/v1/messages": { endpoint: "messages", method: "POST" },
  "/v1/messages/count_tokens": { endpoint: "count_tokens", method: "POST" },
  "/v1/models": { endpoint: "models", method: "GET" },
};

/** Which endpoint a request is for. A wrong method still belongs to its endpoint. */
export function routeRequest(method: string, path: string): Route {
  const modelId = /^\/v1\/models\/([^/]+)$/.exec(path)?.[1];
  const found = modelId === undefined ? methods[path] : { endpoint: "model" as const, method: "GET" };
  if (found === undefined) {
    return { endpoint: "unknown", error: apiError("not_found_error", `Not found: ${path}`) };
  }
  const { endpoint } = found;
  const id = modelId === undefined ? {} : { modelId: decode(modelId) };
  if (method === found.method) return { endpoint, ...id };
  const error = apiError("invalid_request_error", "Method Not Allowed", { allow: found.method });
  return { endpoint, ...id, error: { ...error, status: 405 } };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
