import type { McpServerSettings } from "../../spec/index.ts";
import { refuseServer } from "./refuse-server.ts";
import { fieldsOf, listOf, type Schema, tableOf, text } from "./schema.ts";

const server: Schema = {
  ...fieldsOf<McpServerSettings>({
    command: text,
    args: listOf(text),
    environment: tableOf(text),
    cwd: text,
    url: text,
    headers: tableOf(text),
  }),
  refuse: refuseServer,
};

/** What `createMcpClients` takes as servers. */
export const mcpSchema: Schema = tableOf(server);
