import type { SessionHandle } from "@palimpsest/core";
import { isBrokenStream, maxBrokenStreams } from "@palimpsest/core/internal";
import {
  fail,
  type Model,
  type ModelRequest,
  type ModelResponse,
  ok,
  type Result,
} from "@palimpsest/core/spec";
import { decideRetry } from "../models/retry.ts";
import type { LoopSetup } from "./run.ts";

export interface Asking {
  readonly handle: SessionHandle;
  readonly setup: LoopSetup;
  readonly request: ModelRequest;
  readonly signal: AbortSignal;
}

/**
 * One request for a summary and its whole answer, tried again as usual, but for streams that break; nobody sees it come, and nothing of it is kept here.
 */
export async function askOnce({ handle, setup, request, signal }: Asking): Promise<Result<ModelResponse>> {
  const found = await setup.modelFor(handle.head().model);
  if (!found.ok) return found;
  let brokenStreams = 0;
  for (let attempt = 1; ; attempt += 1) {
    const answer = await wholeAnswer(found.value, request, signal);
    if (answer.ok) return answer;
    const retry = decideRetry(answer.error, attempt, {}, setup.random);
    if (isBrokenStream(answer.error)) brokenStreams += 1;
    if (!retry.retry || signal.aborted || brokenStreams > maxBrokenStreams) return answer;
    await handle.clock.sleep(retry.delayMs, signal);
    if (signal.aborted) return fail("aborted", "It was interrupted while it waited to try again.");
  }
}

async function wholeAnswer(
  model: Model,
  request: ModelRequest,
  signal: AbortSignal,
): Promise<Result<ModelResponse>> {
  for await (const event of model.stream(request, signal)) {
    if (!event.ok) return event;
    if (event.value.type !== "response-end") continue;
    const { type: _type, ...response } = event.value;
    return ok(response);
  }
  return fail("disconnected", "The answer ended before it was whole.", { retryable: true });
}
