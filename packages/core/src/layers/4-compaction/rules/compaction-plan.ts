import type {
  CompactionCause,
  CompactionRecords,
  CompactionRung,
  CompactRequest,
  Facts,
  View,
  ViewItem,
} from "../../../spec/index.ts";
import { estimateBlock } from "../../../view/tokens/index.ts";
import { compactionNumbersOf } from "../settings.ts";
import { type CompactionBudget, compactionBudget } from "./budget.ts";

export interface CompactPlan {
  readonly plan: "compact";
  readonly trigger: "auto" | "manual" | "reactive";
  /** To be tried in this order. */
  readonly rungs: readonly CompactionRung[];
  readonly reason: string;
  readonly cause: CompactionCause;
  readonly budget: CompactionBudget;
  /** The newest rounds stay word for word. */
  readonly keepsTail: boolean;
  /** The scribe's token limit, where that is not a part of the budget. */
  readonly scribeTokens?: number;
  /** The one before it did not do what it promised. */
  readonly follows?: CompactionRung;
  readonly request?: CompactRequest;
}

/** The coordinator's state besides view and facts. All of it is derived from the log. */
export interface CompactionState {
  readonly records: CompactionRecords;
  /** Tokens that decisions will free which the count does not know of yet. */
  readonly pendingFrees?: number;
}

/** The common part of all plans. */
export function planOf(
  view: View,
  facts: Facts,
  { records }: CompactionState,
  given: Pick<CompactPlan, "trigger" | "reason" | "keepsTail">,
): CompactPlan {
  return {
    plan: "compact",
    ...given,
    rungs: [],
    cause: causeOf(view, facts, records),
    budget: budgetOf(view, facts, false, given.trigger),
  };
}

/** By hand the view may be small: what it is compared with then is itself. */
export function budgetOf(
  view: View,
  facts: Facts,
  isTight: boolean,
  trigger: CompactPlan["trigger"],
): CompactionBudget {
  return compactionBudget({
    threshold: facts.thresholds.auto,
    headTokens: facts.headTokens ?? 0,
    tokensBefore: trigger === "manual" ? Number.POSITIVE_INFINITY : view.count.tokens,
    isTight,
    numbers: compactionNumbersOf(facts),
  });
}

export function causeOf(
  { ledgers }: View,
  facts: Facts,
  { boundarySeq }: CompactionRecords,
): CompactionCause {
  const turnsSince = ledgers.userMessages.filter(({ seq }) => seq > boundarySeq).length;
  const turn = ledgers.userMessages.at(-1)?.entry;
  return {
    isChained: boundarySeq > 0 && turnsSince === 0,
    turnsSincePrevious: boundarySeq > 0 ? turnsSince : -1,
    ...(turn !== undefined && { turn }),
    threshold: facts.thresholds.auto,
    source: facts.source,
  };
}

/** Who writes summaries, and what they are asked, where that was set. */
export interface CompactionChoices {
  readonly model?: string;
  readonly prompt?: string;
}

/** Total: what is no text is passed over. */
export function compactionChoicesOf({ settings }: Pick<Facts, "settings">): CompactionChoices {
  const { model, prompt } = settings.compaction ?? {};
  return { ...(isWrittenText(model) && { model }), ...(isWrittenText(prompt) && { prompt }) };
}

function isWrittenText(value: unknown): value is string {
  return typeof value === "string" && value.trim() !== "";
}

/** By item: an item that is the same object has not changed. */
const known = new WeakMap<ViewItem, number>();

/**
 * Tokens of what was said behind a sequence number, by the plain rule; what decisions put into the view is not new. What
 * no model had been asked with at that number is new as well, once one has answered it. Nobody asks how many they are
 * over `most`: counting ends there, so that a long view costs no more than a short one.
 */
export function newTokensSince(items: readonly ViewItem[], seq: number, most: number): number {
  let tokens = 0;
  let hasAnswer = false;
  let wasUnseen = true;
  for (let at = items.length - 1; at >= 0 && tokens <= most; at -= 1) {
    const item = items[at] as ViewItem;
    if (item.decision === item.entry) continue;
    const isLater = item.seq > seq;
    if (item.role === "assistant") {
      if (isLater) hasAnswer = true;
      else wasUnseen = false;
    }
    if (isLater || (hasAnswer && wasUnseen)) tokens += tokensOf(item);
  }
  return tokens;
}

function tokensOf(item: ViewItem): number {
  const before = known.get(item);
  if (before !== undefined) return before;
  const tokens = estimateBlock(item.block);
  known.set(item, tokens);
  return tokens;
}
