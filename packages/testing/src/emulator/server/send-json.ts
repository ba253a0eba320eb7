import type { ServerResponse } from "node:http";
import type { StreamFault } from "../script/fault.ts";
import { ended, idHeaders, leaving, type SendingEnd, write } from "./send-stream.ts";

export interface JsonSending {
  readonly response: ServerResponse;
  readonly requestId: string;
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Breaks in the middle of the body; a stall keeps the headers back too. */
  readonly fault?: StreamFault;
}

/** Sends an answer in one piece. */
export async function sendJson(sending: JsonSending): Promise<SendingEnd> {
  const { response, requestId, status, body, headers, fault } = sending;
  if (response.destroyed) return "abandoned";
  if (fault?.fault === "stall") {
    await leaving(response);
    return "broken";
  }
  const text = JSON.stringify(body);
  const half = text.slice(0, Math.floor(text.length / 2));
  const sent = fault?.fault === "malformed" ? half : text;
  response.writeHead(status, {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(sent),
    ...idHeaders(requestId),
    ...headers,
  });
  if (fault?.fault === "cut") {
    await write(response, half);
    response.destroy();
    return "broken";
  }
  response.write(sent);
  await ended(response);
  if (!response.writableFinished) return "abandoned";
  return fault === undefined ? "sent" : "broken";
}
