import { systemShell } from "../../packages/core/src/runtime-shell.ts";
import { createAgentDirectory } from "../../packages/core/src/session/mail/create-agent-directory.ts";
import { fail, type Tool } from "../../packages/core/src/spec/index.ts";
import { openAgentLocation } from "../../packages/palimpsest/src/loop/agent/agent-location.ts";
import { createAgentTools } from "../../packages/palimpsest/src/loop/agent/agent-tools.ts";
import { openAgentMemory } from "../../packages/palimpsest/src/loop/agent/memory/open-agent-memory.ts";
import { createAgentTool } from "../../packages/palimpsest/src/tools/agent/index.ts";
import { createMcpClients } from "../../packages/palimpsest/src/tools/mcp/index.ts";
import { createSendMessageTool } from "../../packages/palimpsest/src/tools/send-message/index.ts";
import { createShellTasks } from "../../packages/palimpsest/src/tools/shell/index.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { createVirtualStore } from "../support/virtual-store.ts";

export const searchUrl = { PALIMPSEST_SEARCH_URL: "https://search.example.org/?q={query}" };

/** Everything an agent without MCP servers has, in an environment. */
export async function agentTools(
  environment: Readonly<Record<string, string>> = searchUrl,
): Promise<readonly Tool[]> {
  const folder = await temporaryFolder();
  const made = await openAgentLocation({ cwd: folder, home: folder });
  const { clock, runtime } = made;
  const place = { ...made, runtime: { ...runtime, environment } };
  const mcp = createMcpClients({ servers: {}, environment, cwd: folder, clock });
  await mcp.start();
  const tasks = createShellTasks({ shell: systemShell, ids: runtime.ids });
  const store = createVirtualStore();
  const memory = await openAgentMemory({ location: place, store, isCustomTool: false, warn: () => {} });
  const port = { start: async () => fail("closed", "Nobody begins agents here.") };
  const agents = { tool: createAgentTool({ port, agents: [] }), tasks: { tasks: () => [] } };
  const directory = createAgentDirectory({ clock, ids: runtime.ids });
  const mail = { tool: createSendMessageTool({ directory, exchangesOf: async () => undefined }) };
  const parts = { memory, agents, mail };
  return createAgentTools({ location: place, settings: {}, tasks, mcp, workspace: [folder], ...parts });
}
