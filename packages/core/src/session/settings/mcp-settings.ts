import type { GenericSchema } from "valibot";
import { structured } from "../../settings/declare.ts";
import { fieldsOf, listOf, refusing, tableOf, textSchema } from "../../settings/schemas.ts";
import type { McpServerSettings } from "../../spec/index.ts";
import { type McpServerFields, refuseServer } from "./expand-variables.ts";

const fields = refusing(
  fieldsOf<McpServerFields>({
    command: textSchema,
    args: listOf(textSchema),
    environment: tableOf(textSchema),
    cwd: textSchema,
    url: textSchema,
    headers: tableOf(textSchema),
  }),
  refuseServer,
);

/** What is not refused is of one of the two kinds. */
const server = fields as GenericSchema<McpServerSettings>;

/** The servers of `createMcpClients`. */
export const mcpSettings = {
  mcp: structured(tableOf(server), "MCP servers by the name their tools carry", {
    isHidden: true,
    example: { files: { command: "npx", args: ["-y", "@modelcontextprotocol/server-filesystem", "."] } },
  }),
};
