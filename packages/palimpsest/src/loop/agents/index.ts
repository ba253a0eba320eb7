export { type AgentTree, type AgentTreeOptions, createAgentTree } from "./agent-tree.ts";
export { type Agents, type AgentsOptions, createAgents } from "./create-agents.ts";
