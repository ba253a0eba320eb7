import { fail, ok, type Result } from "@palimpsest/core/spec";
import { absent } from "../../optional-import.ts";

const importSdk = async () => {
  const [server, stdio, http, types] = await Promise.all([
    import("@modelcontextprotocol/sdk/server/index.js").catch(absent),
    import("@modelcontextprotocol/sdk/server/stdio.js").catch(absent),
    import("@modelcontextprotocol/sdk/server/streamableHttp.js").catch(absent),
    import("@modelcontextprotocol/sdk/types.js").catch(absent),
  ]);
  return { ...server, ...stdio, ...http, ...types };
};

/** The parts of the official SDK that serve. */
export type ServerSdk = Awaited<ReturnType<typeof importSdk>>;

/** Loads the SDK, which is an optional peer: nobody pays for it who serves nothing. */
export async function loadServerSdk(load: () => Promise<ServerSdk> = importSdk): Promise<Result<ServerSdk>> {
  try {
    return ok(await load());
  } catch (cause) {
    const isAbsent = (cause as NodeJS.ErrnoException).code === "ERR_MODULE_NOT_FOUND";
    const what = isAbsent ? "is not installed" : `cannot be loaded: ${String(cause)}`;
    return fail("not-found", `The package @modelcontextprotocol/sdk, which serves MCP, ${what}.`, {
      fix: "Run “npm install @modelcontextprotocol/sdk” beside palimpsest.",
      cause,
    });
  }
}
