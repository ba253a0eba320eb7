import { cleanProgress } from "@palimpsest/core/internal";
import type { Clock, Result, Usage } from "@palimpsest/core/spec";
import type { AgentRecord } from "./agent-record.ts";

/** How often it is looked what a background agent does. */
export const progressMs = 30_000;

/** A model's words about an agent, and their cost. */
export interface Summary {
  readonly text: string;
  readonly usage: Usage;
  readonly dollars: number;
}

export type Summarize = (record: AgentRecord, signal: AbortSignal) => Promise<Result<Summary>>;

export interface ProgressOptions {
  readonly record: AgentRecord;
  readonly clock: Clock;
  readonly summarize: Summarize | undefined;
  readonly emit: (record: AgentRecord, words: string) => void;
  /** It has ended. */
  readonly signal: AbortSignal;
}

/** Says every 30 seconds what an agent does, where it has done something since; one question at a time. */
export async function watchProgress({
  record,
  clock,
  summarize,
  emit,
  signal,
}: ProgressOptions): Promise<void> {
  let seen = 0;
  for (;;) {
    await clock.sleep(progressMs, signal);
    if (signal.aborted) return;
    const { steps } = record;
    if (steps === seen) continue;
    seen = steps;
    const words = (await askForProgress(record, summarize, signal)) ?? record.lastCall();
    if (signal.aborted || words === undefined) continue;
    record.setProgress(words);
    emit(record, words);
  }
}

/** A model's words; `null` where there is none, it fails, or says something else than it was asked for. */
async function askForProgress(
  record: AgentRecord,
  summarize: Summarize | undefined,
  signal: AbortSignal,
): Promise<string | null> {
  if (!summarize) return null;
  const answered = await summarize(record, signal);
  if (!answered.ok) return null;
  const { text, usage, dollars } = answered.value;
  record.spend(usage, dollars);
  return cleanProgress(text);
}
