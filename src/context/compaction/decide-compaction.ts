import type {
  CompactionCause,
  CompactionRecords,
  CompactionRung,
  CompactRequest,
  Facts,
  Moment,
  View,
} from "../../spec/index.ts";
import { holdReason, isUnanswered, mayAskModel } from "./compaction-bounds.ts";
import { budgetOf, type CompactionState, type CompactPlan, causeOf, planOf } from "./compaction-plan.ts";
import { decideEarly } from "./early-compaction.ts";
import { guardCompaction } from "./guard-compaction.ts";
import { isLeftToServer, nativeCompactionOf } from "./native-choice.ts";
import { compactionNumbersOf } from "./numbers.ts";
import { hasOpenCalls } from "./open-calls.ts";

export type CompactionPlan =
  | { readonly plan: "wait"; readonly reason: string }
  /** A summary is written in the background, for later. */
  | { readonly plan: "prepare"; readonly reason: string; readonly cause: CompactionCause }
  | CompactPlan;

/** Whether, why and by which rungs the view is compacted now. Pure. */
export function decideCompaction(
  view: View,
  moment: Moment,
  facts: Facts,
  state: CompactionState,
): CompactionPlan {
  if (moment.kind !== "before-request") return wait("compaction is decided before requests");
  const refusal = guardCompaction(moment, facts);
  if (refusal !== null) return wait(refusal);
  if (moment.trigger === "manual") return byHand(view, facts, state, moment.compact ?? {});
  if (view.items.length === 0) return wait("there is nothing to compact");
  if (moment.trigger === "reactive") return reactive(view, facts, state);
  if (isLeftToServer(view, facts)) return wait("the API compacts");
  const tokens = view.count.tokens - (state.pendingFrees ?? 0);
  if (tokens < facts.thresholds.auto) return beforeThreshold(view, facts, state, tokens);
  const held = holdReason(view, facts, state.records);
  return held === null ? automatic(view, facts, state) : wait(held);
}

function wait(reason: string): CompactionPlan {
  return { plan: "wait", reason };
}

function automatic(view: View, facts: Facts, state: CompactionState): CompactionPlan {
  const { records } = state;
  const reason = `${view.count.tokens} tokens are over the threshold of ${facts.thresholds.auto}`;
  const usual = planOf(view, facts, state, { trigger: "auto", reason, keepsTail: false });
  if (usual.budget.totalTokens === 0)
    return wait(`system and tools alone have ${facts.headTokens} tokens: no compaction can help`);
  if (isUnanswered(view, facts, records)) return escalated(view, facts, state, usual);
  return { ...usual, rungs: [...preparedRung(records), ...laddered(view, facts, records)] };
}

function reactive(view: View, facts: Facts, state: CompactionState): CompactionPlan {
  const { records } = state;
  const reason = "the provider found the request too long";
  const usual = planOf(view, facts, state, { trigger: "reactive", reason, keepsTail: true });
  const last = records.lastAutomatic;
  if (!isUnanswered(view, facts, records)) return { ...usual, rungs: laddered(view, facts, records) };
  if (view.items.some(({ role, seq }) => role === "assistant" && seq > (last?.seq ?? 0)))
    return wait("the view was compacted, and a response has come since");
  return last?.strategy === "scribe"
    ? wait("the smallest view there is was too long as well")
    : escalated(view, facts, state, usual);
}

/** What came before had too little effect: the scribe, in half the room, is the last that is tried. */
function escalated(view: View, facts: Facts, state: CompactionState, usual: CompactPlan): CompactionPlan {
  const { lastAutomatic } = state.records;
  if (lastAutomatic?.strategy === "scribe")
    return wait("the last compaction had no effect, and too little is new since");
  const follows = lastAutomatic?.strategy === "notes" ? "notes" : "full";
  const budget = budgetOf(view, facts, true, usual.trigger);
  return { ...usual, rungs: ["scribe"], budget, follows, reason: `${usual.reason}, just after a compaction` };
}

function byHand(view: View, facts: Facts, state: CompactionState, request: CompactRequest): CompactionPlan {
  const isPart = request.from !== undefined || request.upTo !== undefined;
  const hasWishes = (request.instructions ?? "").trim() !== "";
  const asked = isPart ? (["full"] as const) : ([...nativeRung(facts), "full"] as const);
  const rungs: readonly CompactionRung[] = isPart || hasWishes ? asked : [...notesRung(facts), ...asked];
  const usual = planOf(view, facts, state, {
    trigger: "manual",
    reason: "asked for by hand",
    keepsTail: false,
  });
  return { ...usual, rungs, request };
}

/** Nothing has to be done yet: an early compaction may pay, and a summary may be prepared. */
function beforeThreshold(view: View, facts: Facts, state: CompactionState, tokens: number): CompactionPlan {
  const { records } = state;
  const under = `${tokens} tokens are under the threshold of ${facts.thresholds.auto}`;
  if (holdReason(view, facts, records) !== null) return wait(under);
  const early = earlyPlan(view, facts, state);
  if (early) return early;
  if (isUnanswered(view, facts, records)) return wait(under);
  const numbers = compactionNumbersOf(facts);
  const isNear = tokens * 100 >= facts.thresholds.auto * numbers.aheadPercent;
  const isOurs = nativeCompactionOf(facts) === "off";
  const mayPrepare = isNear && isOurs && flag(facts, "compact-ahead") && records.prepared === undefined;
  if (!mayPrepare || !mayAskModel(view, facts, records) || hasOpenCalls(view.items)) return wait(under);
  return {
    plan: "prepare",
    reason: `${tokens} tokens are near the threshold`,
    cause: causeOf(view, facts, records),
  };
}

/** Without a model, where what is no longer read pays for writing the cache anew. */
function earlyPlan(view: View, facts: Facts, state: CompactionState): CompactionPlan | null {
  if (!flag(facts, "compact-early")) return null;
  const early = decideEarly(view, facts, state.records);
  if (early === null) return null;
  const { reason, budget } = early;
  const usual = planOf(view, facts, state, { trigger: "auto", reason, keepsTail: true });
  return { ...usual, budget, scribeTokens: budget.summaryTokens, rungs: ["scribe"] };
}

function laddered(view: View, facts: Facts, records: CompactionRecords): readonly CompactionRung[] {
  const full = mayAskModel(view, facts, records) ? ([...nativeRung(facts), "full"] as const) : [];
  return [...notesRung(facts), ...full, "scribe"];
}

function preparedRung({ prepared }: CompactionRecords): readonly CompactionRung[] {
  return prepared ? ["prepared"] : [];
}

function nativeRung(facts: Facts): readonly CompactionRung[] {
  return nativeCompactionOf(facts) === "on-demand" ? ["native"] : [];
}

function notesRung({ settings }: Facts): readonly CompactionRung[] {
  const { switches } = settings as { readonly switches?: { readonly notesCompaction?: boolean } };
  return switches?.notesCompaction === false ? [] : ["notes"];
}

function flag({ settings }: Facts, name: string): boolean {
  return ((settings.flags ?? {}) as Readonly<Record<string, unknown>>)[name] === true;
}
