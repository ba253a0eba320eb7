import { noUsage, type RequestTrigger, refusedLocation, windowFullStop } from "@palimpsest/core/internal";
import { type ModelRequest, type ModelResponse, PalimpsestError, type RunEnd } from "@palimpsest/core/spec";
import { askModel } from "./ask-model.ts";
import { beginRun } from "./begin-run.ts";
import { followResponse } from "./follow-response.ts";
import { type Finish, interrupted, type Run, toFinish, warn } from "./run.ts";
import { decideStop, withResponse } from "./spending.ts";

/** Asks the model, runs its tools, and asks again, until there is a reason to end. Never throws. */
export async function runTurns(run: Run, prompt: string): Promise<RunEnd> {
  const finish = await runSafely(run, prompt);
  const { requests, usage, dollars } = run.spending;
  const durationMs = run.handle.clock.monotonic() - run.startedMs;
  return { ...withoutSecrets(finish, run), text: run.text, requests, usage, dollars, durationMs };
}

/** Texts of a provider, a hook or a disk may name a key. */
function withoutSecrets({ message, error, ...finish }: Finish, { handle: { secrets } }: Run): Finish {
  return {
    ...finish,
    ...(message !== undefined && { message: secrets.text(message) }),
    ...(error && { error: secrets.error(error) }),
  };
}

async function runSafely(run: Run, prompt: string): Promise<Finish> {
  try {
    return await turns(run, prompt);
  } catch (cause) {
    return run.signal.aborted ? interrupted : toFinish(cause);
  }
}

/** A request that the provider has refused, and what it said. */
interface Refusal {
  readonly request: ModelRequest;
  readonly error: PalimpsestError;
  /** It was not refused: its answer was cut, since the window was full. */
  readonly isAnswerCut?: boolean;
}

/** A provider's refusals of the request that it did not answer, until one is answered. */
interface Refusals {
  /** It found the request too long. */
  readonly overflow?: Refusal;
  /** It found that the request has too many bytes. */
  readonly tooLarge?: Refusal;
  /** It named a message or a block of the request before. */
  readonly named?: Refusal;
  /** All that it named so far. */
  readonly places?: readonly string[];
  readonly hasDroppedImages?: boolean;
}

const freeingWords = "The model's server found the request too long: what can be freed is freed.";
const mediaLeftOut =
  "The model's server found the request too large: images and documents with half of its bytes are left out.";

/** So many messages or blocks may be refused by name, each another one, before an answer must come. */
const maxNamedRefusals = 8;

/** With one more message or block refused by name; `null` where repairing has not helped, or nothing is named. */
function withNamed(refusals: Refusals, refusal: Refusal): Refusals | null {
  const location = refusedLocation(refusedWords(refusal.error));
  const { places = [] } = refusals;
  const key = JSON.stringify(location);
  if (!location || places.includes(key) || places.length >= maxNamedRefusals) return null;
  return { ...refusals, named: refusal, places: [...places, key] };
}

function triggerOf({ overflow, tooLarge, named }: Refusals): RequestTrigger {
  if (tooLarge) return { trigger: "auto", refused: "request_too_large" };
  if (named) return { trigger: "auto", refused: refusedWords(named.error) };
  if (!overflow) return { trigger: "auto" };
  if (overflow.isAnswerCut) return { trigger: "reactive", overflow: { isAnswerCut: true } };
  const { tokens: actualTokens, maximum: limitTokens } = overflow.error.facts;
  return {
    trigger: "reactive",
    overflow: {
      ...(typeof actualTokens === "number" && { actualTokens }),
      ...(typeof limitTokens === "number" && { limitTokens }),
    },
  };
}

async function turns(run: Run, prompt: string): Promise<Finish> {
  const refused = await beginRun(run, prompt);
  if (refused) return refused;
  let refusals: Refusals = {};
  for (;;) {
    if (run.signal.aborted) return interrupted;
    const { handle, options } = run;
    const stop = decideStop(run.spending, handle.clock.monotonic() - run.startedMs, options);
    if (stop) return stop;
    const prepared = await handle.prepare(triggerOf(refusals), run.signal);
    if (run.signal.aborted) return interrupted;
    if (!prepared.ok) return unsendableFinish(prepared.error);
    const { report } = prepared.value;
    const request = limitOutput(prepared.value.request, run.maxOutputTokens);
    const { named, tooLarge, ...others } = refusals;
    const { overflow } = others;
    refusals = others;
    if (tooLarge) {
      if (!isSamePrompt(tooLarge.request, request)) warn(run, mediaLeftOut);
      else if (overflow) return blockedFinish(tooLarge.error);
      else {
        refusals = { ...others, overflow: tooLarge };
        warn(run, freeingWords);
        continue;
      }
    }
    if (named && isSamePrompt(named.request, request)) return failedFinish(named.error);
    if (overflow && isSamePrompt(overflow.request, request)) return blockedFinish(overflow.error);
    const answer = await askModel(run, request, report.count.tokens);
    if (answer.ok) {
      const full = cutByWindow(request, answer.value);
      refusals = full ? { overflow: full } : {};
      const response = withoutImpossibleUsage(run, answer.value);
      spend(run, response);
      const finish = await followResponse(run, response);
      if (finish) return finish;
      if (full && overflow?.isAnswerCut) return blockedFinish(full.error);
      if (full) warn(run, `${full.error.message} What can be freed is freed, and it is asked again.`);
      continue;
    }
    const { error } = answer;
    if (run.signal.aborted || error.code === "aborted") return interrupted;
    if (error.code === "over-budget") return { reason: "day-budget", message: error.message, error };
    if (error.facts.isAboutImage === true && !refusals.hasDroppedImages) {
      refusals = { ...refusals, hasDroppedImages: true };
      const dropped = await handle.dropImages(error.message);
      if (!dropped.ok) throw dropped.error;
      if (dropped.value === 0) return failedFinish(error);
      warn(run, "The model's server has refused an image: it is left out from here on.");
    } else if (isTooLarge(error)) {
      refusals = { ...refusals, tooLarge: { request, error } };
    } else if (error.code === "prompt-too-long") {
      if (overflow) return blockedFinish(error);
      refusals = { ...refusals, overflow: { request, error } };
      warn(run, freeingWords);
    } else {
      const next = error.code === "request-invalid" ? withNamed(refusals, { request, error }) : null;
      if (next) {
        refusals = next;
        warn(run, `The model's server has refused a part of the request: it is repaired. ${error.message}`);
      } else if (!(await fallBack(run, error))) return failedFinish(error);
    }
  }
}

/** Of its bytes, not of its tokens. */
function isTooLarge({ code, facts }: PalimpsestError): boolean {
  const isBytes = facts.status === 413 || facts.type === "request_too_large";
  return code === "prompt-too-long" && isBytes && facts.maximum === undefined;
}

/** An answer that ended because the window was full is asked for once more, on less. */
function cutByWindow(request: ModelRequest, { stopReason }: ModelResponse): Refusal | null {
  if (stopReason !== windowFullStop) return null;
  const error = new PalimpsestError("too-large", "The answer was cut: the model's window is full.");
  return { request, error, isAnswerCut: true };
}

/** Thinking with a budget of its own needs the room that it was given. */
function limitOutput(request: ModelRequest, maxOutputTokens = Number.POSITIVE_INFINITY): ModelRequest {
  const { thinking } = request as { readonly thinking?: { readonly budget_tokens?: number } };
  if (thinking?.budget_tokens !== undefined || request.max_tokens <= maxOutputTokens) return request;
  return { ...request, max_tokens: maxOutputTokens };
}

/** The answer without a usage that cannot be: nothing is counted by it, and no budget is used up by it. */
function withoutImpossibleUsage(run: Run, response: ModelResponse): ModelResponse {
  const { billed = response.usage, ...rest } = response;
  const why = run.handle.doubtUsage(response) ?? run.handle.doubtUsage({ ...response, usage: billed });
  if (why !== null) warn(run, `The model's server reports a usage that cannot be: ${why}`);
  return why === null ? response : { ...rest, usage: noUsage, reportedUsage: response.usage };
}

/** The billed usage counts, where that is more than what the answer itself took. */
function spend(run: Run, { usage, billed = usage, model }: ModelResponse): void {
  run.spending = withResponse(run.spending, billed, run.handle.dollars(billed, model));
}

function blockedFinish(error: PalimpsestError): Finish {
  return { reason: "blocked", message: error.message, error };
}

function failedFinish(error: PalimpsestError): Finish {
  return { reason: "error", message: error.message, error };
}

function unsendableFinish(error: PalimpsestError): Finish {
  return error.code === "too-large" ? blockedFinish(error) : failedFinish(error);
}

/** Words that name places as the session's own requests have them: a server with another protocol counts otherwise. */
function refusedWords({ facts, message }: PalimpsestError): string {
  return typeof facts.refused === "string" ? facts.refused : message;
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

/** Whether two requests say the same to the model: where they are marked for the cache does not count. */
export function isSamePrompt(one: ModelRequest, other: ModelRequest): boolean {
  return withoutMarkers(one) === withoutMarkers(other);
}

function withoutMarkers(request: ModelRequest): string {
  return JSON.stringify(request, (key, value: unknown) => (key === "cache_control" ? undefined : value));
}
