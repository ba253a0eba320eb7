import { createMcpServer } from "./create-mcp-server.ts";
import type { PublishedSources, ServerSdk } from "./published-tool.ts";

/** Serves on standard input and output until the client is gone or the signal aborts. */
export async function serveStdio(
  sdk: ServerSdk,
  sources: PublishedSources,
  signal: AbortSignal,
): Promise<void> {
  const server = createMcpServer(sdk, sources);
  const ended = new Promise<void>((resolve) => {
    server.onclose = resolve;
    process.stdin.once("end", resolve);
    process.stdin.once("close", resolve);
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
  await server.connect(new sdk.StdioServerTransport());
  await ended;
  await server.close();
}
