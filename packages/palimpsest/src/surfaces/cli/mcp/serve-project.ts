import { resolve } from "node:path";
import { createRuntime } from "@palimpsest/core/internal";
import { dataRoot } from "@palimpsest/core/stores/files";
import { createCommandStores } from "../../local/command-stores.ts";
import { orThrow } from "../../local/or-throw.ts";
import { silentTerminal } from "../../local/terminal.ts";
import { loadServerSdk, type PublishedSources, type ServerSdk } from "../../mcp/published-tool.ts";
import { type HttpMcpServer, type ServeHttpOptions, serveHttp } from "../../mcp/serve-http.ts";
import { serveStdio } from "../../mcp/serve-stdio.ts";
import { openSources } from "./open-sources.ts";

/** Whose memories and sessions are served. */
export interface McpServerOptions {
  /** The project's folder; this process's when absent. */
  readonly cwd?: string;
  /** The data root; `PALIMPSEST_HOME` and its defaults when absent. */
  readonly home?: string;
  /** Another project: its folder, or its name under the data root. */
  readonly project?: string;
  /** In place of files: the URL of a database. */
  readonly databaseUrl?: string;
}

/** Serves a project's memories and sessions on 127.0.0.1, to whoever has the token. Throws a `PalimpsestError`. */
export async function serveMcpHttp(
  options: McpServerOptions & Partial<ServeHttpOptions> = {},
): Promise<HttpMcpServer> {
  const { sdk, sources, close } = await open(options);
  const { port = 0, token, onRefusal } = options;
  const served = await serveHttp(sdk, sources, {
    port,
    ...(token !== undefined && { token }),
    ...(onRefusal && { onRefusal }),
  });
  if (!served.ok) {
    await close();
    throw served.error;
  }
  const server = served.value;
  return {
    ...server,
    async close() {
      await server.close();
      await close();
    },
  };
}

/** The same on standard input and output, until the client is gone or the signal aborts. */
export async function serveMcpStdio(
  options: McpServerOptions & { readonly signal?: AbortSignal } = {},
): Promise<void> {
  const { sdk, sources, close } = await open(options);
  try {
    await serveStdio(sdk, sources, options.signal ?? new AbortController().signal);
  } finally {
    await close();
  }
}

async function open({ cwd, home: given, project, databaseUrl }: McpServerOptions): Promise<{
  readonly sdk: ServerSdk;
  readonly sources: PublishedSources;
  close(): Promise<void>;
}> {
  const sdk = orThrow(await loadServerSdk());
  const { environment, homeFolder, clock, workingFolder } = createRuntime();
  const folder = resolve(cwd ?? workingFolder());
  const home = resolve(folder, given ?? dataRoot(environment, homeFolder));
  const chosen = databaseUrl === undefined ? {} : { store: databaseUrl };
  const stores = createCommandStores({ home, environment, ...chosen });
  try {
    const context = {
      terminal: silentTerminal(),
      home,
      folder,
      ...chosen,
      stores: stores.open,
      now: clock.now,
    };
    const sources = await openSources(context, project);
    return {
      sdk,
      sources,
      async close() {
        await sources.memory.close();
        await stores.close();
      },
    };
  } catch (cause) {
    await stores.close();
    throw cause;
  }
}
