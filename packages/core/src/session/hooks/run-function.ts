import type { Clock, HookFunction, HookInputs, HookName, HookScene } from "../../spec/index.ts";
import { defaultHookTimeoutMs } from "./hook-numbers.ts";
import { type HeardAnswer, readAnswer } from "./read-answer.ts";

export interface FunctionRun {
  readonly name: HookName;
  readonly hook: HookFunction;
  readonly input: HookInputs[HookName] & HookScene;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** Calls one function of the program. What it throws, and that it takes too long, is a warning. */
export async function runFunction({ name, hook, input, clock, signal }: FunctionRun): Promise<HeardAnswer> {
  const over = new AbortController();
  const stop = AbortSignal.any([signal, over.signal]);
  const late = clock.sleep(defaultHookTimeoutMs, stop).then(() => ({ isLate: true }) as const);
  const called = Promise.resolve()
    .then(() => hook(input, stop))
    .then(
      (said) => ({ isLate: false, heard: readAnswer(said, name) }) as const,
      (cause: unknown) => ({ isLate: false, heard: thrown(cause) }) as const,
    );
  const first = await Promise.race([called, late]);
  over.abort();
  if (signal.aborted) return { answer: {}, warnings: [] };
  if (!first.isLate) return first.heard;
  return { answer: {}, warnings: [`took more than ${defaultHookTimeoutMs} ms and was left alone`] };
}

function thrown(cause: unknown): HeardAnswer {
  const message = cause instanceof Error ? cause.message : "it threw what is no error";
  return { answer: {}, warnings: [`failed: ${message}`] };
}
