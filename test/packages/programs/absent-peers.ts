// Uses what needs an optional peer where none is installed, and tells for each peer what the error says.
import { ok, PalimpsestError, type Result } from "palimpsest";
import { createMcpClients, serveMcpStdio } from "palimpsest/mcp";
import { createLocalEmbeddings } from "palimpsest/models/embeddings";
import { openPostgresStores, runPostgresWorker } from "palimpsest/stores/postgres";
import { createVirtualClock } from "palimpsest/testing";

const url = "postgres://127.0.0.1:9/none";
const clock = createVirtualClock();
const servers = { notes: { command: "notes-server" } };
const signal = AbortSignal.abort();

const uses: Readonly<Record<string, () => Promise<Result<unknown>>>> = {
  pg: () => openPostgresStores({ url }),
  "graphile-worker": () => runPostgresWorker({ url, isOnce: true } as never, signal),
  "@modelcontextprotocol/sdk, as a client": () =>
    createMcpClients({ servers, environment: {}, cwd: ".", clock }).start(),
  "@modelcontextprotocol/sdk, as a server": async () => ok(await serveMcpStdio({ signal })),
  "@lat.md/embed": () => createLocalEmbeddings().embed(["quay"]),
};

const told: Record<string, unknown> = {};
const note = (name: string, error: unknown) => {
  told[name] = PalimpsestError.isInstance(error) ? { message: error.message, fix: error.fix } : String(error);
};
for (const [name, use] of Object.entries(uses)) {
  try {
    const result = await use();
    note(name, result.ok ? "nothing was missing" : result.error);
  } catch (error) {
    note(name, error);
  }
}
await import("palimpsest/adapters/langchain").catch((error) => note("langchain", error));
console.log(JSON.stringify(told));
