import {
  type ContextUsage,
  fail,
  type LogListing,
  type MemoryFolder,
  ok,
  type Recalled,
  type Result,
  type Tool,
} from "@palimpsest/core/spec";
import { absent } from "../../optional-import.ts";

/** The sessions of all projects, to be read and never written. */
export interface ReadableSessions {
  /** This project's, newest first. */
  list(): Promise<readonly LogListing[]>;
  /** By a session's id or its beginning; this project's come first. */
  recall(
    session: string,
    id: string,
    page: { readonly offset?: number; readonly limit?: number },
  ): Promise<Recalled>;
  usage(session: string): Promise<ContextUsage>;
  /** The messages and decisions, oldest first, a line an entry; of more than so many characters the end. */
  transcript(session: string, maxChars: number): Promise<string>;
}

/** A dream that waits for a person, as text; `null` where none does. */
export type DescribeWaitingDream = (id?: string) => Promise<string | null>;

/** The content that the server publishes. */
export interface PublishedSources {
  readonly memory: MemoryFolder;
  readonly sessions: ReadableSessions;
  readonly describeWaitingDream: DescribeWaitingDream;
}

interface ToolAnswer {
  readonly text: string;
  /** The same for programs. */
  readonly fields?: Readonly<Record<string, unknown>>;
}

/** A tool that other people's agents may call. Failures throw a `PalimpsestError`. */
export interface PublishedTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input_schema: Tool["input_schema"];
  readonly isReadOnly: boolean;
  run(input: unknown, sources: PublishedSources, caller: string): Promise<ToolAnswer>;
}

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
