/** What comes of the work, or `undefined` as soon as the signal says stop: the work is not waited for then. */
export async function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  const done = new AbortController();
  const aborted = new Promise<undefined>((resolve) => {
    if (signal.aborted) resolve(undefined);
    signal.addEventListener("abort", () => resolve(undefined), { signal: done.signal });
  });
  try {
    return await Promise.race([aborted, work]);
  } finally {
    done.abort();
  }
}
