import type { ServerResponse } from "node:http";
import type { StreamFault } from "../script/fault.ts";
import { errorBody } from "./api-error.ts";
import type { StreamEvent } from "./stream-events.ts";

export interface StreamSending {
  readonly response: ServerResponse;
  readonly requestId: string;
  readonly events: Iterable<StreamEvent>;
  readonly fault?: StreamFault;
  /** Called right before an event is written. */
  begin(event: StreamEvent): void;
}

/** How a sending ended. `broken` is what the fault wanted. */
export type SendingEnd = "sent" | "broken" | "abandoned";

/**
 * Sends events one turn of the loop after the other, so that streams run beside each other and a client that leaves is
 * noticed. Waits for slow readers.
 */
export async function sendStream(sending: StreamSending): Promise<SendingEnd> {
  const { response, requestId, events, fault, begin } = sending;
  response.writeHead(200, {
    "content-type": "text/event-stream; charset=utf-8",
    "cache-control": "no-cache",
    "request-id": requestId,
  });
  response.flushHeaders();
  let count = 0;
  let isMalformedSent = false;
  for (const event of events) {
    if (fault !== undefined && count === fault.afterEvent) {
      if (fault.fault !== "malformed") return breakOff(sending);
      await write(response, `event: ${event.type}\ndata: {"type":"${event.type}","index\n\n`);
      isMalformedSent = true;
    } else {
      begin(event);
      if (!(await write(response, toText(event)))) return "abandoned";
    }
    count += 1;
    await nextTurn();
    if (response.destroyed) return "abandoned";
  }
  if (fault !== undefined && !isMalformedSent) {
    if (fault.fault !== "malformed") return breakOff(sending);
    await write(response, "event: message_stop\ndata: {\n\n");
  }
  await ended(response);
  return fault === undefined ? "sent" : "broken";
}

async function breakOff({ response, requestId, fault }: StreamSending): Promise<SendingEnd> {
  if (fault?.fault === "stall") {
    await leaving(response);
    return "broken";
  }
  if (fault?.fault === "stream-error" && fault.error !== undefined) {
    const text = JSON.stringify(errorBody(fault.error, requestId));
    await write(response, `event: error\ndata: ${text}\n\n`);
    await ended(response);
    return "broken";
  }
  // What was written has left the process by now; the connection ends without the end of the body.
  response.destroy();
  return "broken";
}

/** Resolves once the text was handed to the system; false when nobody is there to read it. */
export function write(response: ServerResponse, text: string): Promise<boolean> {
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
export async function leaving(response: ServerResponse): Promise<"abandoned"> {
  if (!response.destroyed) await new Promise((resolve) => response.once("close", resolve));
  return "abandoned";
}

export function ended(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    if (response.destroyed) return resolve();
    response.once("close", resolve);
    response.end();
  });
}

function toText(event: StreamEvent): string {
  return `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));
