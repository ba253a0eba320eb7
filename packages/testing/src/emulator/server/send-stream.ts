import type { ServerResponse } from "node:http";
import type { StreamFault } from "../script/fault.ts";
import { type ApiError, errorBody } from "./api-error.ts";
import type { StreamEvent } from "./stream-events.ts";

/** How events look on the wire. */
interface StreamTexts<Event> {
  event(event: Event): string;
  /** In the place of an event, or behind the last one: no JSON. */
  malformed(event: Event | undefined): string;
  error(error: ApiError, requestId: string): string;
}

interface StreamSending<Event> {
  readonly response: ServerResponse;
  readonly requestId: string;
  readonly events: Iterable<Event>;
  readonly texts: StreamTexts<Event>;
  readonly fault?: StreamFault;
  /** Called right before an event is written. */
  begin(event: Event): void;
}

/** How a sending ended. `broken` is what the fault wanted. */
export type SendingEnd = "sent" | "broken" | "abandoned";

/**
 * Sends events one turn of the loop after the other, so that streams run beside each other and a client that leaves is
 * noticed. Waits for slow readers.
 */
export async function sendStream<Event>(sending: StreamSending<Event>): Promise<SendingEnd> {
  const { response, requestId, events, texts, fault, begin } = sending;
  response.writeHead(200, {
    "content-type": "text/event-stream; charset=utf-8",
    "cache-control": "no-cache",
    ...idHeaders(requestId),
  });
  response.flushHeaders();
  let count = 0;
  let isMalformedSent = false;
  for (const event of events) {
    if (fault !== undefined && count === fault.afterEvent) {
      if (fault.fault !== "malformed") return abandonStream(sending);
      await write(response, texts.malformed(event));
      isMalformedSent = true;
    } else {
      begin(event);
      if (!(await write(response, texts.event(event)))) return "abandoned";
    }
    count += 1;
    await nextTurn();
    if (response.destroyed) return "abandoned";
  }
  if (fault !== undefined && !isMalformedSent) {
    if (fault.fault !== "malformed") return abandonStream(sending);
    await write(response, texts.malformed(undefined));
  }
  await streamEnded(response);
  return fault === undefined ? "sent" : "broken";
}

async function abandonStream<Event>(sending: StreamSending<Event>): Promise<SendingEnd> {
  const { response, requestId, texts, fault } = sending;
  if (fault?.fault === "stall") {
    await clientLeft(response);
    return "broken";
  }
  if (fault?.fault === "stream-error" && fault.error !== undefined) {
    await write(response, texts.error(fault.error, requestId));
    await streamEnded(response);
    return "broken";
  }
  // The bytes written have left the process by now; the connection ends without the end of the body.
  response.destroy();
  return "broken";
}

/** Resolves once the text was handed to the system; false when nobody is there to read it. */
function write(response: ServerResponse, text: string): Promise<boolean> {
  return new Promise((resolve) => {
    if (response.destroyed) return resolve(false);
    const gone = () => resolve(false);
    response.once("close", gone);
    response.write(text, (error) => {
      response.off("close", gone);
      resolve(!error);
    });
  });
}

/** Resolves when the client leaves or the emulator closes. */
export async function clientLeft(response: ServerResponse): Promise<"abandoned"> {
  if (!response.destroyed) await new Promise((resolve) => response.once("close", resolve));
  return "abandoned";
}

function streamEnded(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    if (response.destroyed) return resolve();
    response.once("close", resolve);
    response.end();
  });
}

/** The request's id under the names that the SDKs look for. */
function idHeaders(requestId: string): Readonly<Record<string, string>> {
  return { "request-id": requestId, "x-request-id": requestId };
}

/** The events of the Messages API. */
export const messageTexts: StreamTexts<StreamEvent> = {
  event: (event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`,
  malformed: (event) =>
    event === undefined
      ? "event: message_stop\ndata: {\n\n"
      : `event: ${event.type}\ndata: {"type":"${event.type}","index\n\n`,
  error: (error, requestId) => `event: error\ndata: ${JSON.stringify(errorBody(error, requestId))}\n\n`,
};

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

interface JsonSending {
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
    await clientLeft(response);
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
  await streamEnded(response);
  if (!response.writableFinished) return "abandoned";
  return fault === undefined ? "sent" : "broken";
}
