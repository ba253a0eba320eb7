import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { Clock } from "@palimpsest/core/spec";
import type { Channel } from "./channel.ts";

type Watched = Pick<Channel, "closed" | "isOpen" | "heardMs" | "lastRequestId"> & {
  /** How many lines came that are no messages. */
  strayLines(): number;
  /** What went wrong last besides, where it was not the machine. */
  fault(): string;
};

/** Listens on a transport that nobody listens on yet; the SDK's client calls these listeners before its own. */
export function watchTransport(transport: Transport, clock: Clock): Watched {
  let isOpen = true;
  let heardMs = clock.monotonic();
  let strayLines = 0;
  let fault = "";
  let requestId: unknown;
  const closed = new Promise<void>((resolve) => {
    transport.onclose = () => {
      isOpen = false;
      setImmediate(resolve);
    };
  });
  transport.onmessage = () => {
    heardMs = clock.monotonic();
  };
  transport.onerror = (error) => {
    if (error.name === "SyntaxError" || error.name === "ZodError") strayLines += 1;
    else if (!("code" in error)) fault = error.message;
  };
  const send = transport.send.bind(transport);
  transport.send = (message, options) => {
    if ("method" in message && "id" in message) requestId = message.id;
    return send(message, options);
  };
  return {
    closed,
    isOpen: () => isOpen,
    heardMs: () => heardMs,
    lastRequestId: () => requestId,
    strayLines: () => strayLines,
    fault: () => fault,
  };
}
