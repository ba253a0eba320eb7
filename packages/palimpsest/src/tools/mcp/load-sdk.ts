import { fail, ok, type Result } from "@palimpsest/core/spec";
import { absent } from "../../optional-import.ts";

const importSdk = async () => {
  const [client, stdio, http, types] = await Promise.all([
    import("@modelcontextprotocol/sdk/client/index.js").catch(absent),
    import("@modelcontextprotocol/sdk/client/stdio.js").catch(absent),
    import("@modelcontextprotocol/sdk/client/streamableHttp.js").catch(absent),
    import("@modelcontextprotocol/sdk/types.js").catch(absent),
  ]);
  return {
    Client: client.Client,
    StdioClientTransport: stdio.StdioClientTransport,
    inheritedNames: stdio.DEFAULT_INHERITED_ENV_VARS,
    StreamableHTTPClientTransport: http.StreamableHTTPClientTransport,
    StreamableHTTPError: http.StreamableHTTPError,
    McpError: types.McpError,
    ResultSchema: types.ResultSchema,
    ToolListChangedNotificationSchema: types.ToolListChangedNotificationSchema,
  };
};

/** The parts of the official SDK that are used. */
export type McpSdk = Awaited<ReturnType<typeof importSdk>>;

/** Loads the SDK, which is an optional peer: nobody pays for it who has no servers. */
export async function loadSdk(load: () => Promise<McpSdk> = importSdk): Promise<Result<McpSdk>> {
  try {
    return ok(await load());
  } catch (cause) {
    const isAbsent = (cause as NodeJS.ErrnoException).code === "ERR_MODULE_NOT_FOUND";
    const what = isAbsent ? "is not installed" : `cannot be loaded: ${String(cause)}`;
    return fail("not-found", `MCP servers are set up, and the package @modelcontextprotocol/sdk ${what}.`, {
      fix: "Run “npm install @modelcontextprotocol/sdk”, or remove the setting mcp.",
      cause,
    });
  }
}
