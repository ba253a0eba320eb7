export {
  createMcpClients,
  type McpClients,
  type McpClientsOptions,
  type McpServerState,
  type McpServerStatus,
  type McpWarning,
} from "../../tools/mcp/index.ts";
export type { HttpMcpServer, ServeHttpOptions } from "./serve-http.ts";
export { type McpServerOptions, serveMcpHttp, serveMcpStdio } from "./serve-project.ts";
