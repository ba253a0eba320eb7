import type { Clock } from "@palimpsest/core/spec";
import type { Connection } from "./connection.ts";
import type { McpNumbers } from "./mcp-numbers.ts";

/**
 * Resolves once a server that is asked for a sign of life gives none for `stalledMs`. Whatever it sends is one, so a
 * call may take any time. Stays pending once the signal has aborted.
 */
export async function waitForStall(
  { heardMs, ping }: Pick<Connection, "heardMs" | "ping">,
  {
    clock,
    numbers,
    signal,
  }: { readonly clock: Clock; readonly numbers: McpNumbers; readonly signal: AbortSignal },
): Promise<void> {
  const silentMs = () => clock.monotonic() - heardMs();
  while (true) {
    await clock.sleep(numbers.quietMs, signal);
    if (signal.aborted) return new Promise(() => {});
    if (silentMs() < numbers.quietMs) continue;
    ping();
    await clock.sleep(numbers.stalledMs, signal);
    if (signal.aborted) return new Promise(() => {});
    if (silentMs() >= numbers.stalledMs) return;
  }
}
