export { refuseServer } from "@palimpsest/core/internal";
export type { McpServerState, McpServerStatus, McpWarning } from "./channel.ts";
export { createMcpClients, type McpClients, type McpClientsOptions } from "./create-mcp-clients.ts";
export { type McpNumbers, mcpNumbers } from "./mcp-numbers.ts";
