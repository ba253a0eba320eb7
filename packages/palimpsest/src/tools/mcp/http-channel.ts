import { withinTime } from "@palimpsest/core/internal";
import type { Clock } from "@palimpsest/core/spec";
import type { Channel } from "./channel.ts";
import { watchTransport } from "./connect-failure.ts";
import type { McpSdk } from "./load-sdk.ts";
import type { McpNumbers } from "./mcp-numbers.ts";
import type { HttpTarget } from "./server-target.ts";

export type Fetch = typeof globalThis.fetch;

/** A server behind an address. The SDK follows redirects within its origin alone, so headers go nowhere else. */
export function openHttpChannel(
  { url, headers }: HttpTarget,
  sdk: McpSdk,
  { clock, numbers, fetch }: { readonly clock: Clock; readonly numbers: McpNumbers; readonly fetch: Fetch },
): Channel {
  const streamEnds = new Map<unknown, () => void>();
  const transport = new sdk.StreamableHTTPClientTransport(new URL(url), {
    requestInit: { headers: { ...headers } },
    fetch: watchStreams(fetch, (requestId) => streamEnds.get(requestId)?.()),
  });
  const watched = watchTransport(transport, clock);

  return {
    ...watched,
    transport,
    traces: () => "",
    onStreamEnd: (requestId, callback) => {
      streamEnds.set(requestId, callback);
      return () => streamEnds.delete(requestId);
    },
    async close() {
      if (!watched.isOpen()) return;
      await withinTime(
        transport.terminateSession().catch(() => {}),
        numbers.closeMs,
        clock,
      );
      await transport.close();
      await watched.closed;
    },
  };
}

/**
 * A fetch that says when the stream with the answer to a request has ended, for whatever reason: a client that waits
 * for an answer on it would wait for ever.
 */
function watchStreams(fetch: Fetch, onEnd: (requestId: unknown) => void): Fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    const isStream = response.headers.get("content-type")?.startsWith("text/event-stream");
    const requestId = init?.method === "POST" && isStream ? requestIdIn(init.body) : undefined;
    if (requestId === undefined || response.body === null) return response;
    const body = withEnd(response.body, () => onEnd(requestId));
    return new Response(body, { status: response.status, headers: response.headers });
  };
}

function withEnd(body: ReadableStream<Uint8Array>, onEnd: () => void): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (!done) return controller.enqueue(value);
        controller.close();
      } catch (cause) {
        controller.error(cause);
      }
      onEnd();
    },
    async cancel(reason) {
      onEnd();
      await reader.cancel(reason);
    },
  });
}

function requestIdIn(body: unknown): unknown {
  if (typeof body !== "string") return undefined;
  const { id, method } = JSON.parse(body) as { readonly id?: unknown; readonly method?: unknown };
  return method === undefined ? undefined : id;
}
