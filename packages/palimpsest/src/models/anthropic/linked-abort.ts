/** What ends one request: the caller's signal, or we ourselves. */
export interface LinkedAbort {
  readonly signal: AbortSignal;
  readonly abort: () => void;
  /** Takes nothing of the request along in the caller's signal, which may live for long. */
  unlink(): void;
}

export function createLinkedAbort(outer: AbortSignal): LinkedAbort {
  const controller = new AbortController();
  const abort = () => controller.abort();
  if (outer.aborted) abort();
  outer.addEventListener("abort", abort, { once: true });
  return { signal: controller.signal, abort, unlink: () => outer.removeEventListener("abort", abort) };
}
