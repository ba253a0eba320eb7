import type { ModelRequest, ModelResponse, PalimpsestError, RunEnd } from "../spec/index.ts";
import { askModel } from "./ask-model.ts";
import { beginRun } from "./begin-run.ts";
import { type Finish, interrupted, toFinish } from "./finish.ts";
import { followResponse } from "./follow-response.ts";
import { isSamePrompt } from "./is-same-prompt.ts";
import { type Run, warn } from "./run.ts";
import { decideStop, withResponse } from "./spending.ts";

/** Asks the model, runs its tools, and asks again, until there is a reason to end. Never throws. */
export async function runTurns(run: Run, prompt: string): Promise<RunEnd> {
  const finish = await runSafely(run, prompt);
  const { requests, usage, dollars } = run.spending;
  const durationMs = run.handle.clock.monotonic() - run.startedMs;
  return { ...finish, text: run.text, requests, usage, dollars, durationMs };
}

async function runSafely(run: Run, prompt: string): Promise<Finish> {
  try {
    return await turns(run, prompt);
  } catch (cause) {
    return run.signal.aborted ? interrupted : toFinish(cause);
  }
}

/** A request that the provider has found too long, and what it said. */
interface Overflow {
  readonly request: ModelRequest;
  readonly error: PalimpsestError;
}

async function turns(run: Run, prompt: string): Promise<Finish> {
  const refused = await beginRun(run, prompt);
  if (refused) return refused;
  let overflow: Overflow | null = null;
  let hasDroppedImages = false;
  for (;;) {
    if (run.signal.aborted) return interrupted;
    const { handle, options } = run;
    const stop = decideStop(run.spending, handle.clock.monotonic() - run.startedMs, options);
    if (stop) return stop;
    const prepared = await handle.prepare(overflow ? "reactive" : "auto", run.signal);
    if (run.signal.aborted) return interrupted;
    if (!prepared.ok) return unsendable(prepared.error);
    const { report } = prepared.value;
    const request = limited(prepared.value.request, run.maxOutputTokens);
    if (overflow && isSamePrompt(overflow.request, request)) return blocked(overflow.error);
    const answer = await askModel(run, request, report.count.tokens);
    if (answer.ok) {
      overflow = null;
      hasDroppedImages = false;
      spend(run, answer.value);
      const finish = await followResponse(run, answer.value);
      if (finish) return finish;
      continue;
    }
    const { error } = answer;
    if (run.signal.aborted || error.code === "aborted") return interrupted;
    if (error.code === "over-budget") return { reason: "day-budget", message: error.message, error };
    if (error.facts.isAboutImage === true && !hasDroppedImages) {
      hasDroppedImages = true;
      const dropped = await handle.dropImages(error.message);
      if (!dropped.ok) throw dropped.error;
      if (dropped.value === 0) return { reason: "error", message: error.message, error };
      warn(run, "The model's server has refused an image: it is left out from here on.");
    } else if (error.code === "prompt-too-long") {
      if (overflow) return blocked(error);
      overflow = { request, error };
      warn(run, "The model's server found the request too long: what can be freed is freed.");
    } else if (!(await fallBack(run, error))) return { reason: "error", message: error.message, error };
  }
}

/** Thinking with a budget of its own needs the room that it was given. */
function limited(request: ModelRequest, maxOutputTokens = Number.POSITIVE_INFINITY): ModelRequest {
  const { thinking } = request as { readonly thinking?: { readonly budget_tokens?: number } };
  if (thinking?.budget_tokens !== undefined || request.max_tokens <= maxOutputTokens) return request;
  return { ...request, max_tokens: maxOutputTokens };
}

/** What is paid counts, where that is more than what the answer itself took. */
function spend(run: Run, { usage, billed = usage, model }: ModelResponse): void {
  run.spending = withResponse(run.spending, billed, run.handle.dollars(billed, model));
}

function blocked(error: PalimpsestError): Finish {
  return { reason: "blocked", message: error.message, error };
}

function unsendable(error: PalimpsestError): Finish {
  return error.code === "too-large" ? blocked(error) : { reason: "error", message: error.message, error };
}

/** Goes on with the other model, once, where the failure is one that another model may not have. */
async function fallBack(run: Run, error: PalimpsestError): Promise<boolean> {
  const { fallback } = run.setup;
  const from = run.handle.head().model;
  if (!error.retryable || fallback === undefined || fallback === from) return false;
  const switched = await run.handle.switchModel(fallback);
  if (!switched.ok) throw switched.error;
  run.emit({ type: "model-fallback", from, to: fallback, message: error.message });
  return true;
}
