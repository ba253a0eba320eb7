import type { ServerResponse } from "node:http";
import type { Refusal } from "../guard/refusal.ts";

const types: Readonly<Record<number, string>> = {
  404: "not_found_error",
  413: "request_too_large",
  503: "overloaded_error",
};

/** An error in a form that clients of both APIs can read, or those of Google. */
export function sendError(
  response: ServerResponse,
  status: number,
  code: string,
  message: string,
  form?: Refusal["form"],
): void {
  if (response.headersSent || response.destroyed) {
    response.destroy();
    return;
  }
  const document =
    form === "google"
      ? { error: { code: status, message, status: "NOT_FOUND", details: [{ reason: code }] } }
      : { type: "error", error: { type: types[status] ?? "invalid_request_error", code, message } };
  const body = Buffer.from(JSON.stringify(document));
  response.writeHead(status, {
    "content-type": "application/json",
    "content-length": String(body.length),
    connection: "close",
  });
  response.end(body);
}
