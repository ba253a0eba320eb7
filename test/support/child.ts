import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

export interface Child {
  readonly process: ChildProcess;
  readonly pid: number;
  /** Whole lines it has printed so far. */
  lines(): readonly string[];
  /** Resolves once it has printed that many lines, or has ended. */
  printed(count: number): Promise<void>;
  /** Sends SIGKILL and waits until it is gone and all it printed has arrived. */
  kill(): Promise<void>;
}

/** Runs a script of `test/children`, or `command` with it. */
export function startChild(script: string, args: readonly string[], command: readonly string[] = []): Child {
  const path = fileURLToPath(new URL(`../children/${script}`, import.meta.url));
  const [program = process.execPath, ...before] = [...command, process.execPath];
  const child = spawn(program, [...before, path, ...args], { stdio: ["pipe", "pipe", "inherit"] });
  const closed = once(child, "close");
  let text = "";
  let count = 0;
  const wakers = new Set<() => void>();
  const wake = () => {
    for (const waker of wakers) waker();
  };
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    text += chunk;
    count += chunk.split("\n").length - 1;
    wake();
  });
  let ended = false;
  void closed.then(() => {
    ended = true;
    wake();
  });
  return {
    process: child,
    pid: child.pid ?? 0,
    lines: () =>
      text
        .slice(0, text.lastIndexOf("\n") + 1)
        .split("\n")
        .slice(0, -1),
    printed: (wanted) =>
      new Promise((resolve) => {
        const check = () => {
          if (count < wanted && !ended) return;
          wakers.delete(check);
          resolve();
        };
        wakers.add(check);
        check();
      }),
    async kill() {
      child.kill("SIGKILL");
      await closed;
    },
  };
}
