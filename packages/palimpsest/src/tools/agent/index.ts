export { type AgentPort, type AgentTask, type AgentToolOptions, createAgentTool } from "./agent-tool.ts";
export {
  type AgentFolder,
  type AgentFolders,
  findAgent,
  type LoadedAgents,
  loadAgents,
  type RestrictedAgent,
} from "./load-agents.ts";
