import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { onTestFinished } from "vitest";
import type { Emulator, EmulatorOptions } from "../../packages/testing/src/index.ts";
import { type CliEnd, type CliOptions, cliEnvironment, mainPath, runCli } from "./cli.ts";
import { emulate } from "./emulator.ts";
import { temporaryFolder } from "./temporary-folder.ts";

export const testKey = "sk-ant-test-0123456789abcdef";

/** A person with a project, a data root of their own, and an emulator where the models are. */
export interface AgentLocation {
  readonly emulator: Emulator;
  readonly home: string;
  readonly project: string;
  readonly environment: Readonly<Record<string, string>>;
  /** `palimpsest run` with these arguments, to its end. */
  run(args: readonly string[], options?: CliOptions): Promise<CliEnd>;
  /** The same with its events as they come. */
  start(args: readonly string[]): RunningAgent;
}

export interface RunningAgent {
  readonly child: ChildProcess;
  /** Everything that was printed so far. */
  readonly lines: string[];
  /** The next event of that type. */
  event(type: string): Promise<Record<string, unknown>>;
  /** Its end: the exit code, and what was said on stderr. */
  ended(): Promise<{ readonly code: number | null; readonly stderr: string }>;
}

interface AgentPlaceOptions extends EmulatorOptions {
  /** Whether memories are extracted at the end of a turn: a request more than most scripts are asked for. */
  readonly hasExtraction?: boolean;
}

export async function agentLocation(options: AgentPlaceOptions = {}): Promise<AgentLocation> {
  const { hasExtraction = false, ...emulation } = options;
  const { emulator } = await emulate(emulation);
  const [home, project] = [await temporaryFolder(), await temporaryFolder()];
  const environment = {
    ANTHROPIC_BASE_URL: emulator.url,
    ANTHROPIC_API_KEY: testKey,
    OPENAI_BASE_URL: `${emulator.url}/v1`,
    OPENAI_API_KEY: testKey,
    PALIMPSEST_FLAG_MEMORY_EXTRACTION: hasExtraction ? "on" : "off",
  };
  return {
    emulator,
    home,
    project,
    environment,
    run: (args, more = {}) => runCli(["run", ...args], { home, cwd: project, environment, ...more }),
    start(args) {
      const all = [mainPath, "run", "--output", "stream-json", ...args];
      const env = cliEnvironment({ home, environment });
      return watch(spawn(process.execPath, all, { cwd: project, env, stdio: ["ignore", "pipe", "pipe"] }));
    },
  };
}

function watch(child: ChildProcess): RunningAgent {
  if (!child.stdout || !child.stderr) throw new Error("it has no pipes");
  onTestFinished(() => void child.kill("SIGKILL"));
  const closed = once(child, "close");
  const lines: string[] = [];
  let stderr = "";
  child.stderr.on("data", (chunk) => {
    stderr += chunk;
  });
  const coming = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    child,
    lines,
    async event(type) {
      for (;;) {
        const { value, done } = await coming.next();
        if (done) throw new Error(`it ended before ${type}: ${lines.join("\n")}${stderr}`);
        lines.push(value);
        const event = JSON.parse(value) as Record<string, unknown>;
        if (event.type === type) return event;
      }
    },
    async ended() {
      // Of a pipe that was closed here no end is heard.
      if (!child.stdout?.destroyed)
        for await (const line of { [Symbol.asyncIterator]: () => coming }) lines.push(line);
      const [code] = await closed;
      return { code, stderr };
    },
  };
}

/** What the newest request says a call came to. */
export function lastResult(emulator: Emulator): string {
  const { messages = [] } = (emulator.requests.last?.whole ?? {}) as { readonly messages?: readonly Said[] };
  const blocks = messages.flatMap(({ content }) => (Array.isArray(content) ? content : []));
  const result = blocks.findLast(({ type }) => type === "tool_result");
  return typeof result?.content === "string" ? result.content : JSON.stringify(result?.content);
}

interface Said {
  readonly content: unknown;
}
