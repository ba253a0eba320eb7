import type { Protocol } from "../protocol/protocol.ts";
import type { Exchange } from "./exchange.ts";

/** A client that hears nothing for longer than this may give up. */
const pingMs = 5_000;

/** Keeps a client that waits for a stream from leaving while a model sums up the past. */
export async function withPings<Value>(
  { response, parts }: Exchange,
  { ping }: Protocol,
  work: () => Promise<Value>,
): Promise<Value> {
  const ended = new AbortController();
  const watch = async () => {
    for (;;) {
      await parts.clock.sleep(pingMs, ended.signal);
      if (ended.signal.aborted || response.destroyed) return;
      if (!response.headersSent) {
        response.writeHead(200, {
          "content-type": "text/event-stream; charset=utf-8",
          "cache-control": "no-cache",
        });
      }
      response.write(ping);
    }
  };
  const watching = watch();
  try {
    return await work();
  } finally {
    ended.abort();
    await watching;
  }
}
