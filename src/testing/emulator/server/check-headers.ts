import type { IncomingHttpHeaders } from "node:http";
import { type ApiError, apiError } from "./api-error.ts";

const secret = /^(?:x-api-key|authorization|proxy-authorization|cookie|set-cookie)$|token|secret/;

/** What the API refuses a request for before it reads it; null when all is there. Any key is a good one. */
export function checkHeaders(headers: IncomingHttpHeaders): ApiError | null {
  if (!headers["x-api-key"] && !headers.authorization) {
    return apiError("authentication_error", "x-api-key header is required");
  }
  if (!headers["anthropic-version"]) {
    return apiError("invalid_request_error", "anthropic-version: header is required");
  }
  return null;
}

/** `anthropic-beta`, split at commas. */
export function betasOf(headers: IncomingHttpHeaders): ReadonlySet<string> {
  const header = headers["anthropic-beta"];
  const text = Array.isArray(header) ? header.join(",") : (header ?? "");
  return new Set(
    text
      .split(",")
      .map((name) => name.trim().toLowerCase())
      .filter((name) => name !== ""),
  );
}

/** Whether the request is one of the SDK's beta methods: by its header, or by its query as older ones have it. */
export function isBeta(headers: IncomingHttpHeaders, url: URL): boolean {
  return betasOf(headers).size > 0 || url.searchParams.get("beta") === "true";
}

/** Headers as they are kept: whatever may be a secret only says that it was there. */
export function maskHeaders(headers: IncomingHttpHeaders): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      secret.test(name) ? "[masked]" : Array.isArray(value) ? value.join(", ") : (value ?? ""),
    ]),
  );
}
