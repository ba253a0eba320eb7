import { type ChildProcess, spawn } from "node:child_process";
import { setImmediate, setTimeout } from "node:timers/promises";
import {
  type ErrorCode,
  fail,
  ok,
  type Result,
  type Shell,
  type ShellEnd,
  type ShellOptions,
  type ShellProcess,
} from "./spec/index.ts";

/** How long a program that was asked to end may take before it is forced. */
export const defaultGraceMs = 2_000;

/** How long nothing may come from children that outlive their program and keep its pipes, before the pipes are closed. */
const quietMs = 250;

/** The most that such children are listened to, where they never fall silent. */
const drainMs = 2_000;

/** How long a forced end is waited for: a process that the system itself holds does not hold us. */
const forcedMs = 500;

const pollMs = 10;

/**
 * Programs of this machine, each the leader of a process group. Children that a program leaves behind live on, without
 * its pipes; after `kill` nobody of the group does, and `ended` waits for that.
 */
export const systemShell: Shell = {
  start(program, args, options) {
    try {
      const child = spawn(program, [...args], {
        cwd: options.cwd,
        env: { ...options.environment },
        detached: true,
        stdio: [options.input === undefined ? "ignore" : "pipe", "pipe", "pipe"],
      });
      return watch(child, program, options);
    } catch (cause) {
      return { ended: Promise.resolve(notStarted(program, cause)), kill: () => {} };
    }
  },
};

function watch(child: ChildProcess, program: string, { input, onOutput }: ShellOptions): ShellProcess {
  let pieces = 0;
  let isGroupGone = false;
  let ending: Promise<void> | undefined;
  for (const stream of ["stdout", "stderr"] as const) {
    child[stream]?.on("data", (bytes: Buffer) => {
      pieces += 1;
      onOutput?.(bytes, stream);
    });
    child[stream]?.on("error", () => {});
  }
  child.stdin?.on("error", () => {});
  child.stdin?.end(input);
  child.once("exit", () => {
    isGroupGone = !signalGroup(child, 0);
  });
  return {
    ended: endOf(child, program, () => pieces).then(async (end) => {
      await ending;
      return end;
    }),
    kill(graceMs = defaultGraceMs) {
      if (!isGroupGone) ending ??= endGroup(child, graceMs);
    },
  };
}

function endOf(child: ChildProcess, program: string, pieces: () => number): Promise<Result<ShellEnd>> {
  return new Promise((resolve) => {
    child.on("error", (cause) => {
      if (child.pid === undefined) resolve(notStarted(program, cause));
    });
    child.once("exit", (exitCode, signal) => {
      const end = ok({ exitCode, signal });
      child.once("close", () => resolve(end));
      void drainPipes(child, pieces).then(() => {
        child.stdout?.destroy();
        child.stderr?.destroy();
        resolve(end);
      });
    });
  });
}

/** Quiet counts only after a look at the pipes: a busy program may be late to read what is there. */
async function drainPipes(child: ChildProcess, pieces: () => number): Promise<void> {
  const untilMs = performance.now() + drainMs;
  const isOpen = () => child.stdout?.closed === false || child.stderr?.closed === false;
  let before = -1;
  while (isOpen() && pieces() !== before && performance.now() < untilMs) {
    before = pieces();
    await setTimeout(quietMs, undefined, { ref: false });
    await setImmediate();
    await setImmediate();
  }
}

async function endGroup(child: ChildProcess, graceMs: number): Promise<void> {
  signalGroup(child, "SIGTERM");
  if (await isGoneWithin(child, graceMs)) return;
  signalGroup(child, "SIGKILL");
  await isGoneWithin(child, forcedMs);
}

async function isGoneWithin(child: ChildProcess, ms: number): Promise<boolean> {
  const untilMs = performance.now() + ms;
  while (signalGroup(child, 0)) {
    if (performance.now() >= untilMs) return false;
    await setTimeout(pollMs);
  }
  return true;
}

/** The group outlives its first process: children are reached though that one is gone. False: nobody is there. */
function signalGroup(child: ChildProcess, signal: NodeJS.Signals | 0): boolean {
  if (child.pid === undefined) return false;
  try {
    return process.kill(-child.pid, signal);
  } catch {
    return child.exitCode === null && child.signalCode === null && child.kill(signal);
  }
}

const codes: Readonly<Record<string, ErrorCode>> = {
  ENOENT: "not-found",
  ENOTDIR: "not-directory",
  EACCES: "permission",
  E2BIG: "too-large",
};

const fixes: Readonly<Record<string, string>> = {
  ENOENT: "Check that it is installed and that the working folder exists.",
  ENOTDIR: "Check the working folder.",
  EACCES: "Check that it may be executed and the working folder entered.",
  E2BIG: "Put the long part into a file and name the file.",
};

function notStarted(program: string, cause: unknown): Result<never> {
  const errno = (cause as NodeJS.ErrnoException | null)?.code ?? "";
  const message = cause instanceof Error ? cause.message : String(cause);
  return fail(codes[errno] ?? "io", `${program} could not be started: ${message}`, {
    path: program,
    fix: fixes[errno] ?? "Check the program and its arguments.",
    cause,
  });
}
