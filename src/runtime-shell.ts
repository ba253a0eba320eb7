import { type ChildProcess, spawn } from "node:child_process";
import { fail, ok, type Result, type Shell, type ShellEnd, type ShellProcess } from "./spec/index.ts";

/** How long a program that was asked to end may take before it is forced. */
export const defaultGraceMs = 2_000;

/** How long output may still come from children that outlive their program and keep its pipes. */
const drainMs = 250;

/** Programs of this machine. */
export const systemShell: Shell = {
  start(program, args, { cwd, environment, input, onOutput }): ShellProcess {
    let child: ChildProcess;
    try {
      child = spawn(program, [...args], {
        cwd,
        env: { ...environment },
        detached: true,
        stdio: [input === undefined ? "ignore" : "pipe", "pipe", "pipe"],
      });
    } catch (cause) {
      return { ended: Promise.resolve(notStarted(program, cause)), kill: () => {} };
    }
    child.stdout?.on("data", (bytes: Buffer) => onOutput?.(bytes, "stdout"));
    child.stderr?.on("data", (bytes: Buffer) => onOutput?.(bytes, "stderr"));
    child.stdin?.on("error", () => {});
    child.stdin?.end(input);
    let isEnding = false;
    return {
      ended: endOf(child, program),
      kill(graceMs = defaultGraceMs) {
        if (isEnding) return;
        isEnding = true;
        signalGroup(child, "SIGTERM");
        setTimeout(() => signalGroup(child, "SIGKILL"), graceMs).unref();
      },
    };
  },
};

function endOf(child: ChildProcess, program: string): Promise<Result<ShellEnd>> {
  return new Promise((resolve) => {
    child.once("error", (cause) => resolve(notStarted(program, cause)));
    child.once("exit", (exitCode, signal) => {
      const end = ok({ exitCode, signal });
      child.once("close", () => resolve(end));
      setTimeout(() => {
        child.stdout?.destroy();
        child.stderr?.destroy();
        resolve(end);
      }, drainMs).unref();
    });
  });
}

/** The group outlives its first process: children are reached though that one is gone. */
function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, signal);
  } catch {
    child.kill(signal);
  }
}

function notStarted(program: string, cause: unknown): Result<never> {
  const message = cause instanceof Error ? cause.message : String(cause);
  return fail("io", `${program} could not be started: ${message}`, { path: program, cause });
}
