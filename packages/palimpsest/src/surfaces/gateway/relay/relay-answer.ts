import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { answerHeaders } from "./forward-headers.ts";
import type { UpstreamAnswer } from "./upstreams.ts";

/** How a relayed answer ended: `whole`, or one of the two sides left before it was. */
export type RelayEnd = "whole" | "client-gone" | "upstream-cut";

/**
 * Gives an answer on, chunk by chunk as it comes, and never faster than the client takes it. `onChunk` sees each chunk
 * once it is on its way. Never rejects.
 */
export async function relayAnswer(
  answer: UpstreamAnswer,
  response: ServerResponse,
  more: readonly string[] = [],
  onChunk: (chunk: Uint8Array) => void = () => undefined,
): Promise<RelayEnd> {
  /** The client was promised a stream already: what is no stream comes as an event in it. */
  const isErrorInStream = response.headersSent && answer.statusCode !== 200;
  if (!response.headersSent) {
    response.writeHead(answer.statusCode ?? 502, answer.statusMessage ?? "", [
      ...answerHeaders(answer.rawHeaders),
      ...more,
    ]);
    response.flushHeaders();
  }
  if (isErrorInStream) response.write("event: error\ndata: ");
  const gone = new AbortController();
  const onClose = () => gone.abort();
  response.once("close", onClose);
  try {
    for await (const chunk of answer) {
      if (response.destroyed) return cut(answer);
      const hasRoom = response.write(chunk);
      onChunk(chunk);
      if (!hasRoom) await once(response, "drain", { signal: gone.signal });
    }
  } catch {
    if (response.destroyed || gone.signal.aborted) return cut(answer);
    response.destroy();
    return "upstream-cut";
  } finally {
    response.off("close", onClose);
  }
  if (!answer.complete) {
    response.destroy();
    return "upstream-cut";
  }
  response.end(isErrorInStream ? "\n\n" : undefined);
  return "whole";
}

function cut(answer: UpstreamAnswer): RelayEnd {
  answer.destroy();
  return "client-gone";
}
