import { spawn } from "node:child_process";
import { fail, ok, type Result, type Shell, type ShellEnd } from "../../packages/core/src/spec/index.ts";

/**
 * The machine's programs, whose end is that of every process they have begun, detached ones too: all of them inherit a
 * pipe that nobody writes to, and it is closed when the last one is gone.
 */
export const treeShell: Shell = {
  start(program, args, { cwd, environment, input, onOutput }) {
    const child = spawn(program, [...args], {
      cwd,
      env: { ...environment },
      detached: true,
      stdio: [input === undefined ? "ignore" : "pipe", "pipe", "pipe", "pipe"],
    });
    child.stdin?.end(input);
    for (const stream of ["stdout", "stderr"] as const)
      child[stream]?.on("data", (bytes: Buffer) => onOutput?.(bytes, stream));
    const lifeline = child.stdio[3];
    if (lifeline && "resume" in lifeline) lifeline.resume();
    const ended = new Promise<Result<ShellEnd>>((resolve, reject) => {
      child.on("error", (cause: NodeJS.ErrnoException) =>
        cause.code === "ENOENT" ? resolve(fail("not-found", cause.message)) : reject(cause),
      );
      child.on("close", (exitCode, signal) => resolve(ok({ exitCode, signal })));
    });
    return {
      ended,
      kill: () => {
        if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
      },
    };
  },
};
