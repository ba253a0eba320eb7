import type { Clock } from "@palimpsest/core/spec";
import type { Channel } from "./channel.ts";
import type { McpSdk } from "./load-sdk.ts";
import type { McpNumbers } from "./mcp-numbers.ts";
import type { HttpTarget } from "./server-target.ts";
import { watchStreams } from "./watch-streams.ts";
import { watchTransport } from "./watch-transport.ts";
import { withinTime } from "./within-time.ts";

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
