export { type AgentPort, type AgentTask, type AgentToolOptions, createAgentTool } from "./agent-tool.ts";
export { type AgentFolders, findAgent, type LoadedAgents, loadAgents } from "./load-agents.ts";
