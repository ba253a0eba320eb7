import type { IncomingHttpHeaders } from "node:http";
import type { Endpoint } from "../recorded-request.ts";
import { type ApiError, apiError } from "./api-error.ts";

/** Whose words are spoken. */
export type Api = "messages" | "chat";

export interface Route {
  readonly api: Api;
  readonly endpoint: Endpoint;
  /** Of `GET /v1/models/{id}`. */
  readonly modelId?: string;
  /** The request cannot be answered as it is. */
  readonly error?: ApiError;
}

const methods: Readonly<Record<string, { readonly endpoint: Endpoint; readonly method: string }>> = {
  "/v1/messages": { endpoint: "messages", method: "POST" },
  "/v1/messages/count_tokens": { endpoint: "count_tokens", method: "POST" },
  "/v1/chat/completions": { endpoint: "chat_completions", method: "POST" },
  "/v1/models": { endpoint: "models", method: "GET" },
};

/** Which endpoint a request is for. A wrong method still belongs to its endpoint. */
export function routeRequest(method: string, path: string, headers: IncomingHttpHeaders): Route {
  const api = apiOf(path, headers);
  const modelId = /^\/v1\/models\/([^/]+)$/.exec(path)?.[1];
  const found = modelId === undefined ? methods[path] : { endpoint: "model" as const, method: "GET" };
  if (found === undefined) {
    return { api, endpoint: "unknown", error: apiError("not_found_error", `Not found: ${path}`) };
  }
  const { endpoint } = found;
  const id = modelId === undefined ? {} : { modelId: decode(modelId) };
  if (method === found.method) return { api, endpoint, ...id };
  const error = apiError("invalid_request_error", "Method Not Allowed", { allow: found.method });
  return { api, endpoint, ...id, error: { ...error, status: 405 } };
}

/** Where both have an endpoint, clients of the Messages API show themselves by headers that all of them send. */
function apiOf(path: string, headers: IncomingHttpHeaders): Api {
  if (path === "/v1/chat/completions") return "chat";
  if (path === "/v1/messages" || path === "/v1/messages/count_tokens") return "messages";
  return headers["anthropic-version"] || headers["x-api-key"] ? "messages" : "chat";
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
