export { type McpServerOptions, serveMcpHttp, serveMcpStdio } from "./surfaces/cli/mcp/serve-project.ts";
export type { HttpMcpServer, ServeHttpOptions } from "./surfaces/mcp/serve-http.ts";
export {
  createMcpClients,
  type McpClients,
  type McpClientsOptions,
  type McpServerState,
  type McpServerStatus,
  type McpWarning,
} from "./tools/mcp/index.ts";
