import type { ServerResponse } from "node:http";

/** An error in a form that clients of both APIs can read. */
export function sendError(
  response: ServerResponse,
  status: number,
  code: string,
  message: string,
  more: Readonly<Record<string, string>> = {},
): void {
  if (response.headersSent || response.destroyed) {
    response.destroy();
    return;
  }
  const error = { type: status === 413 ? "request_too_large" : "invalid_request_error", code, message };
  const body = Buffer.from(JSON.stringify({ type: "error", error }));
  response.writeHead(status, {
    "content-type": "application/json",
    "content-length": String(body.length),
    connection: "close",
    ...more,
  });
  response.end(body);
}
