import { fail, type Result, type ToolContext } from "@palimpsest/core/spec";

/** Ends the work with the call's signal or when its time is over, and does not wait for work that goes on. */
export async function withinTime<T>(
  { clock, signal }: Pick<ToolContext, "clock" | "signal">,
  timeoutMs: number,
  what: string,
  work: (signal: AbortSignal) => Promise<Result<T>>,
): Promise<Result<T>> {
  const interrupted = fail("aborted", `${what} was interrupted.`);
  if (signal.aborted) return interrupted;
  const done = new AbortController();
  const late = new AbortController();
  const stop = AbortSignal.any([signal, late.signal]);
  void clock.sleep(timeoutMs, done.signal).then(() => late.abort());
  const stopped = new Promise<Result<T>>((resolve) => {
    stop.addEventListener(
      "abort",
      () =>
        resolve(
          signal.aborted
            ? interrupted
            : fail("timeout", `${what} took over ${timeoutMs} ms.`, {
                fix: "Try again later.",
                retryable: true,
              }),
        ),
      { once: true },
    );
  });
  const result = await Promise.race([stopped, work(stop)]);
  done.abort();
  return result;
}
