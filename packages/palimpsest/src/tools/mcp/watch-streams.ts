import type { Fetch } from "./http-channel.ts";

/**
 * A fetch that says when the stream with the answer to a request has ended, for whatever reason: a client that waits
 * for an answer on it would wait for ever.
 */
export function watchStreams(fetch: Fetch, onEnd: (requestId: unknown) => void): Fetch {
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
