import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { isRecord, withinTime } from "@palimpsest/core/internal";
import { type Clock, ok, type Result } from "@palimpsest/core/spec";
import type { Channel } from "./channel.ts";
import { connectFailure, watchTransport } from "./connect-failure.ts";
import { type Fetch, openHttpChannel } from "./http-channel.ts";
import { type ListedTool, readListedTools } from "./listed-tool.ts";
import type { McpSdk } from "./load-sdk.ts";
import type { McpNumbers } from "./mcp-numbers.ts";
import type { ServerTarget, StdioTarget } from "./server-target.ts";

export interface ConnectionOptions {
  readonly sdk: McpSdk;
  readonly clock: Clock;
  readonly numbers: McpNumbers;
  readonly fetch: Fetch;
  /** Of this program, as it introduces itself. */
  readonly version: string;
}

export interface CallOptions {
  readonly signal: AbortSignal;
  readonly onProgress: (progress: { progress: number; total?: number; message?: string }) => void;
}

/** A server that has introduced itself and said which tools it has. */
export interface Connection extends Pick<Channel, "closed" | "isOpen" | "heardMs" | "traces" | "close"> {
  readonly instructions: string | undefined;
  /** The server's own name and version. */
  readonly title: string;
  readonly tools: readonly ListedTool[];
  /** The tools as they are now. Rejects where the server does not say. */
  listTools(): Promise<readonly ListedTool[]>;
  /** The server's answer, whatever it is. Rejects where it does not, or the signal aborts: the server is told. */
  callTool(name: string, input: unknown, options: CallOptions): Promise<unknown>;
  /** Asks for a sign of life. */
  ping(): void;
}

/** No clock of the SDK's ends anything: the longest time that timers know. */
const timeout = 2 ** 31 - 1;
const maxPages = 100;

/** Reaches a server within `connectMs`; where that fails, nothing of it is left running. */
export async function openConnection(
  target: ServerTarget,
  options: ConnectionOptions,
  { signal, onToolsChanged }: { readonly signal: AbortSignal; readonly onToolsChanged: () => void },
): Promise<Result<Connection>> {
  const { sdk, clock, numbers, version } = options;
  const channel =
    target.kind === "stdio" ? openStdioChannel(target, sdk, options) : openHttpChannel(target, sdk, options);
  const client = new sdk.Client({ name: "palimpsest", version }, { capabilities: {} });
  client.setNotificationHandler(sdk.ToolListChangedNotificationSchema, onToolsChanged);
  const listTools = () => list(client, options);
  const connecting = client.connect(channel.transport, { timeout }).then(listTools);
  const tools = await withinTime(connecting, numbers.connectMs, clock, signal).catch((cause) => ({ cause }));
  if (Array.isArray(tools)) {
    return ok({
      ...channel,
      ...describeServer(client),
      tools,
      listTools,
      ...calls(client, channel, options),
    });
  }
  await channel.close();
  const cause = tools !== undefined && "cause" in tools ? tools.cause : signal.aborted ? "closed" : "late";
  return connectFailure(cause, target, options, channel.traces());
}

function describeServer(client: Client): Pick<Connection, "instructions" | "title"> {
  const { name = "", version = "" } = client.getServerVersion() ?? {};
  return { instructions: client.getInstructions(), title: `${name} ${version}`.trim() };
}

async function list(client: Client, { sdk, numbers }: ConnectionOptions): Promise<readonly ListedTool[]> {
  if (client.getServerCapabilities()?.tools === undefined) return [];
  const listed: unknown[] = [];
  let cursor: unknown;
  for (let page = 0; page < maxPages && listed.length < numbers.maxTools; page += 1) {
    const params = typeof cursor === "string" ? { cursor } : {};
    const result = await client.request({ method: "tools/list", params }, sdk.ResultSchema, { timeout });
    if (Array.isArray(result.tools)) listed.push(...result.tools);
    cursor = result.nextCursor;
    if (typeof cursor !== "string") break;
  }
  return readListedTools(listed.slice(0, numbers.maxTools), numbers.maxDescriptionChars);
}

function calls(
  client: Client,
  channel: Channel,
  { sdk, clock, numbers }: ConnectionOptions,
): Pick<Connection, "callTool" | "ping"> {
  return {
    ping: () => void client.ping({ timeout }).catch(() => {}),
    async callTool(name, input, { signal, onProgress }) {
      const over = new AbortController();
      let isResumable = false;
      const answer = client.request(
        { method: "tools/call", params: { name, arguments: isRecord(input) ? input : {} } },
        sdk.ResultSchema,
        {
          signal,
          timeout,
          onprogress: onProgress,
          onresumptiontoken: () => {
            isResumable = true;
          },
        },
      );
      const streamEnd = new Promise<void>((resolve) => {
        const stop = channel.onStreamEnd(channel.lastRequestId(), resolve);
        over.signal.addEventListener("abort", stop);
      });
      const cut = streamEnd
        .then(() => clock.sleep(isResumable ? numbers.resumeMs : numbers.streamEndMs, over.signal))
        .then(() => Promise.reject(new Error("the connection ended before the answer came")));
      cut.catch(() => {});
      try {
        return await Promise.race([answer, cut]);
      } finally {
        answer.catch(() => {});
        over.abort();
      }
    },
  };
}

/** A server that is a program: the SDK starts it, and it sees the variables of the target alone. */
function openStdioChannel(
  { command, args, environment, cwd }: StdioTarget,
  sdk: McpSdk,
  { clock, numbers }: { readonly clock: Clock; readonly numbers: McpNumbers },
): Channel {
  const transport = new sdk.StdioClientTransport({
    command,
    args: [...args],
    env: { ...withoutInherited(sdk), ...environment },
    cwd,
    stderr: "pipe",
    maxBufferSize: numbers.maxMessageBytes,
  });
  const tail = createTail(numbers.maxStderrBytes);
  transport.stderr?.on("data", (bytes: Buffer) => tail.add(bytes));
  const watched = watchTransport(transport, clock);
  let started: Promise<boolean> = Promise.resolve(false);
  const start = transport.start.bind(transport);
  transport.start = () => {
    const starting = start();
    started = starting.then(
      () => true,
      () => false,
    );
    return starting;
  };

  return {
    ...watched,
    transport,
    traces: () => {
      const strayLines = watched.strayLines();
      const traces = [
        strayLines > 0 &&
          watched.fault() === "" &&
          `It wrote to its output what is no message (${strayLines} times).`,
        watched.fault() !== "" && `Its connection said: ${watched.fault()}.`,
        tail.text() !== "" && `Its last error output:\n${tail.text()}`,
      ];
      return traces.filter((trace) => trace !== false).join("\n");
    },
    onStreamEnd: () => () => {},
    async close() {
      const hasProcess = await started;
      await transport.close();
      if (hasProcess) await withinTime(watched.closed, numbers.closeMs, clock);
    },
  };
}

/** Undoes what the SDK would add of this process' own variables: what may be seen is handed in. */
function withoutInherited({ inheritedNames }: McpSdk): Record<string, string> {
  return Object.fromEntries(inheritedNames.map((name) => [name, undefined])) as Record<string, never>;
}

/** The end of a stream of bytes. */
interface Tail {
  add(bytes: Uint8Array): void;
  /** Its last whole lines, or what there is of a longer one. */
  text(): string;
}

/** Keeps the last `maxBytes` of what is added, in bounded memory. */
export function createTail(maxBytes: number): Tail {
  let kept: Buffer = Buffer.alloc(0);
  let isCut = false;
  return {
    add(bytes) {
      const joined = Buffer.concat([kept, bytes.subarray(-maxBytes)]);
      isCut ||= kept.length + bytes.length > maxBytes;
      kept = Buffer.from(joined.subarray(-maxBytes));
    },
    text() {
      const text = kept.toString("utf8");
      const lineEnd = text.indexOf("\n");
      const hasWholeLines = isCut && lineEnd >= 0 && lineEnd < text.length - 1;
      return (hasWholeLines ? text.slice(lineEnd + 1) : text).trimEnd();
    },
  };
}
