import type { IncomingHttpHeaders } from "node:http";
import { type ApiError, apiError } from "./api-error.ts";
import type { Api } from "./route-request.ts";

const secret = /^(?:x-api-key|authorization|proxy-authorization|cookie|set-cookie)$|token|secret/;

/** The API's refusal of a request before it reads it; null when all is there. Without `keys` any key is good. */
export function checkHeaders(
  headers: IncomingHttpHeaders,
  api: Api,
  keys: readonly string[] | undefined,
): ApiError | null {
  const bearer = /^Bearer +(\S.*)$/i.exec(headers.authorization ?? "")?.[1];
  if (api === "chat") return checkBearer(bearer, keys);
  if (!headers["x-api-key"] && !headers.authorization) {
    return apiError("authentication_error", "x-api-key header is required");
  }
  if (keys !== undefined && !keys.includes(String(headers["x-api-key"] ?? bearer))) {
    return apiError("authentication_error", "invalid x-api-key");
  }
  if (!headers["anthropic-version"]) {
    return apiError("invalid_request_error", "anthropic-version: header is required");
  }
  return null;
}

function checkBearer(bearer: string | undefined, keys: readonly string[] | undefined): ApiError | null {
  if (bearer === undefined) {
    const message =
      "You didn't provide an API key. You need to provide your API key in an Authorization header using Bearer auth (i.e. Authorization: Bearer YOUR_KEY).";
    return { ...apiError("authentication_error", message), code: null };
  }
  if (keys === undefined || keys.includes(bearer)) return null;
  return apiError("authentication_error", "Incorrect API key provided: ***.");
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
