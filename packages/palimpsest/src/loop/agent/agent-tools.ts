import { createRecallTool, type RecallPorts, systemShell } from "@palimpsest/core/internal";
import type { Settings, Tool } from "@palimpsest/core/spec";
import { createAskTool } from "../../tools/ask/index.ts";
import { createFileTools } from "../../tools/files/index.ts";
import type { McpClients } from "../../tools/mcp/index.ts";
import { createExitPlanModeTool } from "../../tools/plan/index.ts";
import { createDispatcherTool, createToolSearchTool } from "../../tools/search/index.ts";
import { createShellTools, type ShellTasks, type TaskSource } from "../../tools/shell/index.ts";
import { createSkillTool } from "../../tools/skills/index.ts";
import { createSnipTool, type Snip } from "../../tools/snip/index.ts";
import { todoTool } from "../../tools/todo/index.ts";
import { createJsonSearchProvider, createWebFetchTool, createWebSearchTool } from "../../tools/web/index.ts";
import type { AgentLocation } from "./agent-location.ts";

/** With more of them than this, tools of MCP servers are not sent: ToolSearch finds them. */
export const maxSentMcpTools = 40;

export interface AgentToolOptions {
  readonly location: AgentLocation;
  readonly settings: Settings;
  readonly tasks: ShellTasks;
  readonly mcp: McpClients;
  readonly workspace: readonly string[];
  /** Takes rounds out of the session's conversation; absent: the model cannot. */
  readonly snip?: Snip;
  /** The tool that writes to other agents; absent: nobody can be reached. */
  readonly mail?: { readonly tool: Tool };
  /** The Agent tool, and its tasks; absent: there are no agents. */
  readonly agents?: { readonly tool: Tool; readonly tasks: TaskSource };
  /** The memory tool, and what Recall looks through besides the session; absent: there is no memory. */
  readonly memory?: { readonly tool: Tool; readonly recall: RecallPorts };
}

/** Everything the agent can do, in an order that never changes: it is part of the prefix. */
export function createAgentTools({
  location,
  settings,
  tasks,
  mcp,
  workspace,
  snip,
  memory,
  agents,
  mail,
}: AgentToolOptions): readonly Tool[] {
  const { disk, scratchFolder, runtime, skillRoots, planFile, projectFolder } = location;
  const { environment, ids } = runtime;
  const shared = { shell: systemShell, environment };
  const commandEnvironment = { set: settings.environment ?? {} };
  const deferred = deferredTools(mcp);
  const sent = mcp.tools().filter((tool) => !deferred.includes(tool));
  return [
    ...createFileTools(shared),
    ...createShellTools({
      ...shared,
      disk,
      ids,
      tasks,
      otherTasks: agents ? [agents.tasks] : [],
      scratchFolder,
      workspace,
      projectFolder,
      commandEnvironment,
    }),
    createWebFetchTool(),
    ...webSearch(environment),
    createAskTool(),
    todoTool,
    createExitPlanModeTool({ disk, ids, planFile }),
    createSkillTool({ disk, roots: skillRoots }),
    ...(agents ? [agents.tool] : []),
    ...(mail ? [mail.tool] : []),
    createRecallTool(memory?.recall),
    ...(memory ? [memory.tool] : []),
    ...(snip ? [createSnipTool({ snip })] : []),
    createToolSearchTool({ deferred: () => [...deferred, ...mcp.lateTools()] }),
    dispatcher(mcp),
    ...sent,
    ...deferred.map((tool) => ({ ...tool, isDeferred: true })),
  ];
}

/** Tools of MCP servers that are known from the beginning, and too many to be sent. */
export function deferredTools(mcp: Pick<McpClients, "tools">): readonly Tool[] {
  const served = mcp.tools();
  return served.length > maxSentMcpTools ? served : [];
}

function dispatcher(mcp: McpClients): Tool {
  const names = () => [...mcp.tools(), ...mcp.lateTools()].map(({ name }) => name);
  return createDispatcherTool({ find: mcp.find, names });
}

function webSearch(environment: AgentLocation["runtime"]["environment"]): readonly Tool[] {
  const { PALIMPSEST_SEARCH_URL: url, PALIMPSEST_SEARCH_KEY: key } = environment;
  if (!url) return [];
  const provider = createJsonSearchProvider({
    name: "web search",
    url,
    ...(key && { key }),
    fetch: globalThis.fetch,
  });
  return [createWebSearchTool({ provider })];
}
