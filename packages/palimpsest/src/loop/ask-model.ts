import type { SessionHandle } from "@palimpsest/core";
import {
  createContentAssembly,
  isBrokenStream,
  isSummaryFork,
  maxBrokenStreams,
  recordableContent,
} from "@palimpsest/core/internal";
import {
  type ContentBlock,
  fail,
  type Model,
  type ModelRequest,
  type ModelResponse,
  ok,
  type PalimpsestError,
  type Result,
} from "@palimpsest/core/spec";
import { decideRetry } from "../models/retry.ts";
import { isBlank, type LoopSetup, type Run } from "./run.ts";

/**
 * Sends a request until it is answered, or no further try makes sense. What came of an answer that was cut is kept in
 * the log and never sent: each try asks for the very same.
 */
export async function askModel(
  run: Run,
  request: ModelRequest,
  tokens: number,
): Promise<Result<ModelResponse>> {
  const { handle, setup, signal, emit } = run;
  const found = await setup.modelFor(handle.head().model);
  if (!found.ok) return found;
  for (let attempt = 1; ; attempt += 1) {
    emit({ type: "model-start", model: found.value.name, tokens, attempt });
    const answer = await streamOnce(run, found.value, request);
    if (answer.ok) return answer;
    const { code, message } = answer.error;
    const retry = decideRetry(answer.error, attempt, {}, setup.random);
    if (!retry.retry || signal.aborted || hasBrokenOff(run, answer.error)) return answer;
    emit({ type: "retry-wait", attempt, delayMs: retry.delayMs, code, message });
    await handle.clock.sleep(retry.delayMs, signal);
    if (signal.aborted) return fail("aborted", "The run was interrupted while it waited to try again.");
  }
}

/** A summary is not worth as many tries as an answer that somebody waits for: there is the scribe. */
function hasBrokenOff(run: Run, error: PalimpsestError): boolean {
  if (!isSummaryFork(run.handle.source) || !isBrokenStream(error)) return false;
  run.brokenStreams += 1;
  return run.brokenStreams > maxBrokenStreams;
}

async function streamOnce(run: Run, model: Model, request: ModelRequest): Promise<Result<ModelResponse>> {
  const assembly = createContentAssembly();
  let answeredBy: string | undefined;
  const cut = (error: PalimpsestError) =>
    answeredBy === undefined
      ? { ok: false as const, error }
      : keepCut(run, assembly.partial().content, answeredBy, error);
  for await (const event of model.stream(request, run.signal)) {
    if (!event.ok) return cut(event.error);
    const { value } = event;
    if (value.type === "response-end") {
      const { type: _type, ...response } = value;
      return ok({ ...response, content: recordableContent(response.content) as readonly ContentBlock[] });
    }
    if (value.type === "response-start") answeredBy = value.model;
    else assembly.add(value);
    run.emit(value);
  }
  return cut(fail("disconnected", "The answer ended before it was whole.", { retryable: true }).error);
}

/** The part of a cut answer that came is in the log, as one that no request will have. */
async function keepCut(
  run: Run,
  partial: readonly ContentBlock[],
  model: string,
  error: PalimpsestError,
): Promise<Result<never>> {
  const content = partial.filter((block) => !isBlank(block));
  if (content.length > 0)
    await run.handle.session.add({
      role: "assistant",
      content,
      isAborted: true,
      model,
      stopReason: null,
    });
  run.emit({ type: "response-cut", code: error.code, message: error.message });
  return { ok: false, error };
}

interface ModelCall {
  readonly handle: SessionHandle;
  readonly setup: LoopSetup;
  readonly request: ModelRequest;
  readonly signal: AbortSignal;
  /** At most; absent: as many as make sense. */
  readonly tries?: number;
}

/**
 * One request for a summary and its whole answer, tried again as usual, but for streams that break; nobody sees it come, and nothing of it is kept here.
 */
export async function askOnce(call: ModelCall): Promise<Result<ModelResponse>> {
  const { handle, setup, request, signal, tries = Number.POSITIVE_INFINITY } = call;
  const found = await setup.modelFor(handle.head().model);
  if (!found.ok) return found;
  let brokenStreams = 0;
  for (let attempt = 1; ; attempt += 1) {
    const answer = await awaitResponse(found.value, request, signal);
    if (answer.ok) return answer;
    const retry = decideRetry(answer.error, attempt, {}, setup.random);
    if (isBrokenStream(answer.error)) brokenStreams += 1;
    if (!retry.retry || signal.aborted || brokenStreams > maxBrokenStreams || attempt >= tries) return answer;
    await handle.clock.sleep(retry.delayMs, signal);
    if (signal.aborted) return fail("aborted", "It was interrupted while it waited to try again.");
  }
}

async function awaitResponse(
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
