import type { Clock } from "@palimpsest/core/spec";
import type { Channel } from "./channel.ts";
import type { McpSdk } from "./load-sdk.ts";
import type { McpNumbers } from "./mcp-numbers.ts";
import type { StdioTarget } from "./server-target.ts";
import { createTail } from "./tail.ts";
import { watchTransport } from "./watch-transport.ts";
import { withinTime } from "./within-time.ts";

/** A server that is a program: the SDK starts it, and it sees the variables of the target alone. */
export function openStdioChannel(
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
