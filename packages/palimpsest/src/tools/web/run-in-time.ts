import { withinTime } from "@palimpsest/core/internal";
import { fail, type Result, type ToolContext } from "@palimpsest/core/spec";
import { createLinkedSignal } from "../../signals.ts";

/** Ends the work with the call's signal or when its time is over, and does not wait for work that goes on. */
export async function runInTime<T>(
  { clock, signal }: Pick<ToolContext, "clock" | "signal">,
  timeoutMs: number,
  what: string,
  work: (signal: AbortSignal) => Promise<Result<T>>,
): Promise<Result<T>> {
  const interrupted = fail("aborted", `${what} was interrupted.`);
  if (signal.aborted) return interrupted;
  const { signal: stop, abort } = createLinkedSignal([signal]);
  try {
    const result = await withinTime(work(stop), timeoutMs, clock, signal);
    if (signal.aborted) return interrupted;
    return (
      result ??
      fail("timeout", `${what} took over ${timeoutMs} ms.`, { fix: "Try again later.", retryable: true })
    );
  } finally {
    abort();
  }
}
