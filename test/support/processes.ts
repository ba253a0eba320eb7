import { readFileSync } from "node:fs";

/** A process that has ended but that nobody has waited for yet does not run, though it can still be signalled. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  if (process.platform !== "linux") return true;
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}

/** A killed process is gone when the system has ended it, which is a moment after the kill. */
export async function untilGone(pid: number): Promise<void> {
  while (isRunning(pid)) await new Promise(setImmediate);
}
