import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { onTestFinished } from "vitest";
import type { WorkerEvent } from "../../../packages/core/src/stores/postgres/index.ts";
import { cliEnvironment, mainPath } from "../cli.ts";
import { untilGone } from "../processes.ts";

export interface WorkerProcess {
  readonly pid: number;
  readonly events: readonly WorkerEvent[];
  /** The first event of that type, when it comes or has come. Fails where the process ends before. */
  event(type: WorkerEvent["type"]): Promise<WorkerEvent>;
  terminate(): void;
  /** Nothing of it runs any more when this resolves. */
  kill(): Promise<void>;
  ended(): Promise<{ readonly code: number | null; readonly stderr: string }>;
}

interface WorkerProcessOptions {
  readonly home: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly args?: readonly string[];
}

/** `palimpsest worker --json` in a process of its own, killed when the test is over. */
export function startWorkerProcess(options: WorkerProcessOptions): WorkerProcess {
  const { home, environment, args = [] } = options;
  const child = spawn(process.execPath, [mainPath, "worker", "--json", ...args], {
    cwd: home,
    env: cliEnvironment({ home, environment }),
    stdio: ["ignore", "pipe", "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const closed = once(child, "close");
  const events: WorkerEvent[] = [];
  let stderr = "";
  let hasEnded = false;
  const wakers = new Set<() => void>();
  const wake = () => {
    for (const waker of wakers) waker();
  };
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
    stderr += chunk;
  });
  createInterface({ input: child.stdout }).on("line", (line) => {
    events.push(JSON.parse(line) as WorkerEvent);
    wake();
  });
  void closed.then(() => {
    hasEnded = true;
    wake();
  });
  const { pid = 0 } = child;
  return {
    pid,
    events,
    event: (type) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const found = events.find((event) => event.type === type);
          if (!found && !hasEnded) return;
          wakers.delete(look);
          if (found) resolve(found);
          else reject(new Error(`The worker ended without ${type}: ${stderr}`));
        };
        wakers.add(look);
        look();
      }),
    terminate: () => void child.kill("SIGTERM"),
    async kill() {
      child.kill("SIGKILL");
      await untilGone(pid);
    },
    async ended() {
      const [code] = (await closed) as [number | null];
      return { code, stderr };
    },
  };
}
