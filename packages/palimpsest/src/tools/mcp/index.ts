export { refuseServer } from "@palimpsest/core/internal";
export { createMcpClients, type McpClients, type McpClientsOptions } from "./create-mcp-clients.ts";
export { type McpNumbers, mcpNumbers } from "./mcp-numbers.ts";
export type { McpServerState, McpServerStatus, McpWarning } from "./server-status.ts";
