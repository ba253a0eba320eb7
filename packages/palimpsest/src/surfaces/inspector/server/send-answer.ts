import type { IncomingMessage, ServerResponse } from "node:http";
import { promisify } from "node:util";
import { gzip } from "node:zlib";

export interface Answer {
  readonly status: number;
  readonly type: string;
  readonly body: string | Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
}

const zip = promisify(gzip);
const minZippedBytes = 1_024;

/** Nothing but what this server sends may be loaded, run, framed or asked. */
export const safeHeaders: Readonly<Record<string, string>> = {
  "content-security-policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "cache-control": "no-store",
};

/** Large bodies are zipped for those who take that; `HEAD` gets the headers alone. */
export async function sendAnswer(
  request: IncomingMessage,
  response: ServerResponse,
  answer: Answer,
): Promise<void> {
  const plain = Buffer.from(answer.body as string);
  const accepts = /\bgzip\b/.test(String(request.headers["accept-encoding"] ?? ""));
  const isZipped = accepts && plain.length >= minZippedBytes;
  const body = isZipped ? await zip(plain) : plain;
  response.writeHead(answer.status, {
    ...safeHeaders,
    "content-type": answer.type,
    "content-length": body.length,
    vary: "accept-encoding",
    ...(isZipped && { "content-encoding": "gzip" }),
    ...answer.headers,
  });
  response.end(request.method === "HEAD" ? undefined : body);
}

export function jsonAnswer(value: unknown, status = 200): Answer {
  return { status, type: "application/json; charset=utf-8", body: JSON.stringify(value) };
}
