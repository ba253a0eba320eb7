import { openAgentPlace } from "../../src/loop/agent/agent-place.ts";
import { createAgentTools } from "../../src/loop/agent/agent-tools.ts";
import { openAgentMemory } from "../../src/loop/agent/memory/open-agent-memory.ts";
import { systemShell } from "../../src/runtime-shell.ts";
import type { Tool } from "../../src/spec/index.ts";
import { createMcpClients } from "../../src/tools/mcp/index.ts";
import { createShellTasks } from "../../src/tools/shell/index.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { createVirtualStore } from "../support/virtual-store.ts";

export const searchUrl = { PALIMPSEST_SEARCH_URL: "https://search.example.org/?q={query}" };

/** Everything an agent without MCP servers has, in an environment. */
export async function agentTools(
  environment: Readonly<Record<string, string>> = searchUrl,
): Promise<readonly Tool[]> {
  const folder = await temporaryFolder();
  const made = await openAgentPlace({ cwd: folder, home: folder });
  const { clock, runtime } = made;
  const place = { ...made, runtime: { ...runtime, environment } };
  const mcp = createMcpClients({ servers: {}, environment, cwd: folder, clock });
  await mcp.start();
  const tasks = createShellTasks({ shell: systemShell, ids: runtime.ids });
  const store = createVirtualStore();
  const memory = await openAgentMemory({ place, store, isCustomTool: false, warn: () => {} });
  return createAgentTools({ place, settings: {}, tasks, mcp, workspace: [folder], memory });
}
