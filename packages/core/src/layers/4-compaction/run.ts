import {
  type CompactionAttempt,
  type CompactionFailure,
  type EntryDraft,
  type ErrorCode,
  fail,
  type KeptSegment,
  type LayerIo,
  ok,
  type Restorable,
  type Result,
  type Usage,
  type ViewItem,
} from "../../spec/index.ts";
import type { Measure } from "../../view/tokens/measure.ts";
import type { CompactCommand, CompactionPorts } from "./ports.ts";
import type { BoundaryParts } from "./rules/build-boundary.ts";
import { chooseKeptTail, forbidsKeptThinking, type KeptTail, unseenTail } from "./rules/kept-tail.ts";
import type { CompactionNumbers } from "./settings.ts";

/** One compaction under way. */
export interface CompactionRun extends Omit<CompactCommand, "act"> {
  readonly io: LayerIo;
  readonly ports: CompactionPorts;
  readonly signal: AbortSignal;
  readonly numbers: CompactionNumbers;
  readonly measure: Measure;
  /** Tokens of items that stay as they are, as the session counts them. */
  readonly countOf: (items: readonly ViewItem[]) => number;
  /** Of the room: a try before had so much more, as a whole, than its parts were thought to have. */
  readonly sparedTokens?: number;
  /** The user's, and what hooks added. */
  readonly instructions?: string;
  /** Content restored besides files, and what hooks said: asked for once, whichever rung is taken. */
  readonly background: () => Promise<Background>;
}

export interface Background {
  readonly others: Restorable;
  readonly contexts: readonly string[];
}

/** A rung's summary, and what it leaves as it is. */
export interface RungResult {
  readonly ok: true;
  readonly strategy: "prepared" | "notes" | "native" | "prefix" | "plain" | "chunked" | "scribe";
  readonly summary: string;
  /** The API's own block, in the place of the summary's words. */
  readonly native?: BoundaryParts["native"];
  /** Its token limit, where the budget does not set it. */
  readonly summaryTokens?: number;
  readonly basis: number;
  readonly kept?: KeptSegment;
  /** Of what stays behind or before the summary. */
  readonly keptTokens: number;
  /** Token limit of everything else, where a person chose what is kept. */
  readonly roomTokens?: number;
  readonly usage?: Usage;
  readonly cacheShare?: number;
}

export interface RungFailure {
  readonly ok: false;
  readonly reason: CompactionFailure | "refused";
  readonly message: string;
  readonly code?: ErrorCode;
  readonly tokensAfter?: number;
}

/** What stays word for word: newest rounds where the plan says so, and always what no model has been asked with. */
export function chooseTail(run: CompactionRun): KeptTail | null {
  const { plan, view, facts, records, measure } = run;
  const { items } = view;
  const input = {
    items,
    boundarySeq: records.boundarySeq,
    maxTokens: plan.budget.keptTokens,
    measure,
    forbidsThinking: forbidsKeptThinking(items, facts.capabilities),
  };
  return (plan.keepsTail ? chooseKeptTail(input) : null) ?? chooseUnseen(run);
}

/** The messages that no model has been asked with; `null` where there is nothing of the kind. */
export function chooseUnseen({ view, facts, records, countOf }: CompactionRun): KeptTail | null {
  const { items } = view;
  const forbidsThinking = forbidsKeptThinking(items, facts.capabilities);
  return unseenTail({ items, boundarySeq: records.boundarySeq, forbidsThinking, countOf });
}

/** A hook has refused: it is asked again once enough is new. */
export function recordVeto(
  { plan, view }: CompactCommand,
  io: LayerIo,
  veto: string,
): Result<readonly EntryDraft[]> {
  io.emit({ type: "compaction-failed", trigger: plan.trigger, reason: "vetoed", message: veto });
  return ok([attemptDraft({ plan, view }, { outcome: "exhausted", rung: "full", reason: "vetoed" })]);
}

export function abortCompaction({ plan, io }: Pick<CompactionRun, "plan" | "io">): Result<never> {
  const message = "The compaction was interrupted; nothing has changed.";
  io.emit({ type: "compaction-failed", trigger: plan.trigger, reason: "aborted", message });
  return fail("aborted", message);
}

/**
 * No rung helped. By hand that is an error; else it is noted, so that nothing is tried again before enough is new, and
 * a request that is too large is refused before it is sent.
 */
export function recordExhausted(
  run: Pick<CompactionRun, "plan" | "view" | "io">,
  attempts: readonly EntryDraft[],
  { reason, message }: RungFailure,
): Result<readonly EntryDraft[]> {
  const { plan, io } = run;
  const { trigger } = plan;
  const why = reason === "refused" ? "no_progress" : reason;
  io.emit({ type: "compaction-failed", trigger, reason: why, message });
  if (trigger === "manual")
    return fail(why === "prompt_too_long" ? "too-large" : "conflict", `Nothing was compacted: ${message}`, {
      fix: "Try again, or continue: the conversation is unchanged.",
      facts: { reason: why },
    });
  return ok([...attempts, attemptDraft(run, { outcome: "exhausted", rung: "scribe", reason: why })]);
}

/** The note of an attempt that left no boundary. */
export function attemptDraft(
  { plan, view }: Pick<CompactCommand, "plan" | "view">,
  attempt: Pick<CompactionAttempt, "outcome" | "rung" | "reason">,
): EntryDraft {
  const { trigger, cause } = plan;
  const level = attempt.outcome === "exhausted" ? { threshold: cause.threshold } : {};
  const note = { topic: "compaction", ...attempt, trigger, tokens: view.count.tokens, ...level } as const;
  return { kind: "note", note };
}

/** Model costs outside of forks, which note theirs themselves. */
interface Spending {
  add(usage: Usage, dollars: number): void;
  /** A note of it all; none where nothing was spent. */
  drafts(): readonly EntryDraft[];
}

export function createSpending(): Spending {
  let total: { usage: Usage; dollars: number } | undefined;
  return {
    add(usage, dollars) {
      total = total
        ? { usage: sumOf(total.usage, usage), dollars: total.dollars + dollars }
        : { usage, dollars };
    },
    drafts: () => (total ? [{ kind: "note", note: { topic: "usage", ...total } }] : []),
  };
}

/** Every answer counts, used or not. */
export function withSpending(ports: CompactionPorts, spending: Spending): CompactionPorts {
  const { askPlain } = ports;
  if (!askPlain) return ports;
  return {
    ...ports,
    async askPlain(input, signal) {
      const answer = await askPlain(input, signal);
      if (answer.ok && answer.value.usage) spending.add(answer.value.usage, answer.value.dollars ?? 0);
      return answer;
    },
  };
}

export function sumOf(one: Usage, other: Usage): Usage {
  return {
    input: one.input + other.input,
    output: one.output + other.output,
    cacheRead: one.cacheRead + other.cacheRead,
    cacheCreation: one.cacheCreation + other.cacheCreation,
  };
}
