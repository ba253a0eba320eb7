import type { ModelResponse, PalimpsestError, RunEnd, RunEndReason } from "../spec/index.ts";
import { askModel } from "./ask-model.ts";
import { beginRun } from "./begin-run.ts";
import { followResponse } from "./follow-response.ts";
import { type Run, warn } from "./run.ts";
import { decideStop, withResponse } from "./spending.ts";

/** Why a run is over, before it is said how much it took. */
export interface Finish {
  readonly reason: RunEndReason;
  readonly message?: string;
  readonly error?: PalimpsestError;
}

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
    if (run.signal.aborted) return interrupted;
    const error = cause as PalimpsestError;
    return { reason: "error", message: error.message, error };
  }
}

const interrupted: Finish = { reason: "aborted", message: "Interrupted." };

async function turns(run: Run, prompt: string): Promise<Finish> {
  const refused = await beginRun(run, prompt);
  if (refused) return refused;
  /** The provider has found a request too long once: what could be freed was freed. */
  let hasReacted = false;
  for (;;) {
    if (run.signal.aborted) return interrupted;
    const { handle, options } = run;
    const stop = decideStop(run.spending, handle.clock.monotonic() - run.startedMs, options);
    if (stop) return stop;
    const prepared = await handle.prepare(hasReacted ? "reactive" : "auto");
    if (!prepared.ok) return unsendable(prepared.error);
    const { request, report } = prepared.value;
    const answer = await askModel(run, request, report.count.tokens);
    if (answer.ok) {
      spend(run, answer.value);
      const finish = await followResponse(run, answer.value);
      if (finish) return finish;
      continue;
    }
    const { error } = answer;
    if (run.signal.aborted || error.code === "aborted") return interrupted;
    if (error.code === "prompt-too-long" && !hasReacted) {
      hasReacted = true;
      warn(run, "The model's server found the request too long: what can be freed is freed.");
    } else if (error.code === "prompt-too-long") return { reason: "blocked", message: error.message, error };
    else if (!(await fallBack(run, error))) return { reason: "error", message: error.message, error };
  }
}

function spend(run: Run, { usage, model }: ModelResponse): void {
  run.spending = withResponse(run.spending, usage, run.handle.dollars(usage, model));
}

function unsendable(error: PalimpsestError): Finish {
  const reason = error.code === "too-large" ? "blocked" : "error";
  return { reason, message: error.message, error };
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
