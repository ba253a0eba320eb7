import { classifyFailure, type FailureContext } from "@palimpsest/core/internal";
import type { Clock, Result } from "@palimpsest/core/spec";
import { withLiveness } from "../with-liveness.ts";
import { createLinkedAbort } from "./linked-abort.ts";

export interface Asking {
  readonly clock: Clock;
  readonly idleMs: number;
  readonly context: FailureContext & { readonly signal: AbortSignal };
}

/** One request with one answer; it may not stay silent for longer than a stream may. Never throws. */
export async function askOnce<T>(
  { clock, idleMs, context }: Asking,
  send: (signal: AbortSignal) => PromiseLike<T>,
): Promise<Result<T>> {
  const { signal, abort, unlink } = createLinkedAbort(context.signal);
  async function* once(): AsyncGenerator<T> {
    yield await send(signal);
  }
  try {
    for await (const answer of withLiveness(once(), { clock, idleMs, onStall: abort })) return answer;
    throw new TypeError("The request gave nothing.");
  } catch (cause) {
    return { ok: false, error: classifyFailure(cause, context) };
  } finally {
    unlink();
  }
}
