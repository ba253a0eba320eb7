import {
  type CompactionCause,
  type CompactionRecords,
  type CompactionRung,
  type CompactRequest,
  type Facts,
  isBlock,
  type Moment,
  type NativeCompaction,
  type Overflow,
  type SwitchFlagName,
  type View,
  type ViewItem,
} from "../../../spec/index.ts";
import { isMaintenanceFork } from "../../../view/maintenance-fork.ts";
import { countPlainly } from "../../../view/tokens/measure.ts";
import { compactionNumbersOf } from "../settings.ts";
import { landingLimit } from "./budget.ts";
import {
  budgetOf,
  type CompactionState,
  type CompactPlan,
  causeOf,
  newTokensSince,
  planOf,
} from "./compaction-plan.ts";
import { decideEarly } from "./early-compaction.ts";
import { forbidsKeptThinking, unseenTail } from "./kept-tail.ts";

type CompactionPlan =
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
  const refusal = guardCompaction(moment, facts, view.count.tokens);
  if (refusal !== null) return wait(refusal);
  if (moment.trigger === "manual") return planManual(view, facts, state, moment.compact ?? {});
  if (view.items.length === 0) return wait("there is nothing to compact");
  if (moment.trigger === "reactive") return planReactive(view, facts, state, moment.overflow);
  if (isLeftToServer(view, facts)) return wait("the API compacts");
  const tokens = view.count.tokens - (state.pendingFrees ?? 0);
  if (tokens < facts.thresholds.auto) return beforeThreshold(view, facts, state, tokens);
  const held = holdReason(view, facts, state.records);
  return held === null ? planAutomatic(view, facts, state) : wait(held);
}

const nothingSeen = "no model has been asked with any of it yet: it is sent as it is";
const fillsWindow = "the newest messages fill the window: they are sent as they are";

/** The part that no model has been asked with: where it begins, with the calls that it answers, and its tokens. */
function unseenIn(view: View, facts: Facts, { boundarySeq }: CompactionRecords) {
  const forbidsThinking = forbidsKeptThinking(view.items, facts.capabilities);
  const { items, countOf = countPlainly } = view;
  return unseenTail({ items, boundarySeq, forbidsThinking, countOf });
}

/** Whether what must stay leaves too little room below the threshold. */
function fillsThreshold(keptTokens: number, facts: Facts, { budget }: CompactPlan): boolean {
  const { headTokens = 0, thresholds } = facts;
  const { totalTokens } = budget;
  return landingLimit({ totalTokens, keptTokens, headTokens, thresholds }) !== thresholds.auto;
}

function wait(reason: string): CompactionPlan {
  return { plan: "wait", reason };
}

function planAutomatic(view: View, facts: Facts, state: CompactionState): CompactionPlan {
  const { records } = state;
  const reason = `${view.count.tokens} tokens are over the threshold of ${facts.thresholds.auto}`;
  const usual = planOf(view, facts, state, { trigger: "auto", reason, keepsTail: false });
  const unseen = unseenIn(view, facts, records);
  if (unseen?.position === 0) return wait(nothingSeen);
  if (usual.budget.totalTokens === 0) return wait(noRoomReason(facts));
  if (isUnanswered(view, facts, records)) {
    const isFull = unseen !== null && fillsThreshold(unseen.tokens, facts, usual);
    if (isFull && view.count.tokens < facts.thresholds.blocking) return wait(fillsWindow);
    return planEscalated(view, facts, state, usual);
  }
  return { ...usual, rungs: [...preparedRung(records), ...chooseRungs(view, facts, records)] };
}

/** System prompt and tools leave nothing for messages, by the provider's count or, before there is one, as estimated. */
function noRoomReason({ headTokens = 0, isHeadCounted, thresholds }: Facts): string {
  const share = `${formatTokens(headTokens)} of ${formatTokens(thresholds.window)} tokens`;
  return isHeadCounted
    ? `system prompt and tools alone fill the window (${share}): compaction cannot help`
    : `system prompt and tools are estimated to fill the window (${share}): the provider has not counted them yet`;
}

function formatTokens(tokens: number): string {
  return tokens.toLocaleString("en-US");
}

function planReactive(
  view: View,
  facts: Facts,
  state: CompactionState,
  { isAnswerCut }: Overflow = {},
): CompactionPlan {
  const { records } = state;
  const reason = isAnswerCut
    ? "the window was full before the answer was whole"
    : "the provider found the request too long";
  const usual = planOf(view, facts, state, { trigger: "reactive", reason, keepsTail: true });
  const last = records.lastAutomatic;
  if (unseenIn(view, facts, records)?.position === 0) return wait(nothingSeen);
  if (!isUnanswered(view, facts, records)) return { ...usual, rungs: chooseRungs(view, facts, records) };
  if (view.items.some(({ role, seq }) => role === "assistant" && seq > (last?.seq ?? 0)))
    return wait("the view was compacted, and a response has come since");
  return last?.strategy === "scribe"
    ? wait("the smallest view there is was too long as well")
    : planEscalated(view, facts, state, usual);
}

/**
 * The plan after one with too little effect: the scribe, in half the room, is the last that is tried, and once more
 * only where a request could be made after it and what has come since forbids that.
 */
function planEscalated(view: View, facts: Facts, state: CompactionState, usual: CompactPlan): CompactionPlan {
  const { lastAutomatic } = state.records;
  if (lastAutomatic?.strategy === "scribe" && !isBlockedSince(lastAutomatic.seq, view, facts))
    return wait("the last compaction had no effect, and too little is new since");
  const follows = followedRung(lastAutomatic?.strategy);
  const budget = budgetOf(view, facts, true, usual.trigger);
  const reason = `${usual.reason}, just after a compaction`;
  return { ...usual, rungs: ["scribe"], budget, ...(follows && { follows }), reason };
}

/** Whether no request can be made, and one could without what came after this. */
function isBlockedSince(seq: number, { items, count, countOf = countPlainly }: View, facts: Facts): boolean {
  const { blocking } = facts.thresholds;
  return (
    count.tokens >= blocking && count.tokens - countOf(items.filter((item) => item.seq > seq)) < blocking
  );
}

/** Whose compaction turned out to have had no effect; the scribe's is no failure of anybody who was asked. */
function followedRung(strategy: string | undefined): CompactionRung | null {
  if (strategy === "scribe") return null;
  return strategy === "notes" ? "notes" : "full";
}

function planManual(
  view: View,
  facts: Facts,
  state: CompactionState,
  request: CompactRequest,
): CompactionPlan {
  if (unseenIn(view, facts, state.records)?.position === 0) return wait(nothingSeen);
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
  const early = decideEarly(view, facts, state.records);
  if (early === null) return null;
  const { reason, budget } = early;
  const usual = planOf(view, facts, state, { trigger: "auto", reason, keepsTail: true });
  return { ...usual, budget, scribeTokens: budget.summaryTokens, rungs: ["scribe"] };
}

function chooseRungs(view: View, facts: Facts, records: CompactionRecords): readonly CompactionRung[] {
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
  const { switches } = settings;
  return switches?.notesCompaction === false ? [] : ["notes"];
}

function flag({ settings }: Facts, name: SwitchFlagName): boolean {
  return settings.flags?.[name] === true;
}

/** Whether a call in the view has no result yet: a boundary behind it would cut the two apart. */
function hasOpenCalls(items: readonly ViewItem[]): boolean {
  const open = new Set<string>();
  for (const { block } of items) {
    if (isBlock(block, "tool_use")) open.add(block.id);
    else if (isBlock(block, "tool_result")) open.delete(block.tool_use_id);
  }
  return open.size > 0;
}

type RequestMoment = Extract<Moment, { readonly kind: "before-request" }>;

/**
 * Why nothing may be compacted, whatever the count is; `null` where it may. The cheapest questions come first. Forks that
 * serve the context themselves would recurse: they end at their budget instead.
 */
export function guardCompaction(
  moment: RequestMoment,
  { settings, source, thresholds }: Facts,
  tokens: number,
): string | null {
  const { trigger } = moment;
  const { switches = {}, flags = {} } = settings;
  if (switches.compact === false) return "compaction is off";
  if (isMaintenanceFork(source)) return `a fork for ${source} is never compacted`;
  if (trigger === "manual") return moment.compact ? null : "only clearing was asked for";
  if (switches.autoCompact === false) return "automatic compaction is off";
  if (trigger === "reactive") return null;
  if (flags["reactive-only"] === true) return "compaction waits until the provider refuses a request";
  /** Where folding has freed what it could and no request can be made, the session must go on all the same. */
  const isFolding = switches.folding === true && tokens < thresholds.blocking;
  return isFolding ? "folding owns the window" : null;
}

/** After an undo, or where no rung helped, nothing is tried until enough is new or no request can be made. */
export function holdReason(view: View, facts: Facts, records: CompactionRecords): string | null {
  const { undoneSeq, exhausted } = records;
  const { blocking } = facts.thresholds;
  const isBlocked = view.count.tokens >= blocking;
  if (
    undoneSeq !== undefined &&
    undoneSeq > records.boundarySeq &&
    !isBlocked &&
    !isNewEnough(view, facts, undoneSeq)
  )
    return "a compaction was undone, and too little is new since";
  if (exhausted === undefined || isNewEnough(view, facts, exhausted.seq)) return null;
  const { tokens, threshold = 0 } = exhausted;
  return isBlocked && (tokens < blocking || facts.thresholds.auto < threshold)
    ? null
    : "no compaction helped, and too little is new since";
}

/** The breaker is closed, and enough is new since a model was last asked. */
function mayAskModel(view: View, facts: Facts, records: CompactionRecords): boolean {
  if (records.modelFailures >= compactionNumbersOf(facts).maxFailures) return false;
  return records.modelAskedSeq === undefined || isNewEnough(view, facts, records.modelAskedSeq);
}

/** An automatic compaction is in force, and next to nothing came behind it. */
function isUnanswered(view: View, facts: Facts, { lastAutomatic }: CompactionRecords): boolean {
  return lastAutomatic !== undefined && !isNewEnough(view, facts, lastAutomatic.seq);
}

/** A conversation that has little room beside system prompt and tools need not bring more than a part of that room. */
const newTokensRoomShare = 0.25;

function isNewEnough(view: View, facts: Facts, seq: number): boolean {
  const { newTokensPercent } = compactionNumbersOf(facts);
  const { headTokens = 0, thresholds } = facts;
  const room = Math.max(0, thresholds.blocking - headTokens);
  const needed = Math.min((thresholds.window * newTokensPercent) / 100, room * newTokensRoomShare);
  return newTokensSince(view.items, seq, needed) >= needed;
}

/** The API takes no lower trigger. */
export const minServerTriggerTokens = 50_000;

/** Who compacts: what was chosen, where the model can do it. A window in which the API would come too late has none. */
export function nativeCompactionOf(facts: Facts): NativeCompaction {
  const { native } = facts.settings.compaction ?? {};
  const { nativeCompaction, serverCompaction, contextManagement } = facts.capabilities;
  if (native === "on-demand" && nativeCompaction) return native;
  const isInTime = serverTriggerTokens(facts) < facts.thresholds.blocking;
  return native === "server" && serverCompaction && contextManagement && isInTime ? native : "off";
}

/** From how many tokens on the API compacts: the threshold, or the least it takes. */
export function serverTriggerTokens({ thresholds }: Pick<Facts, "thresholds">): number {
  return Math.max(minServerTriggerTokens, thresholds.auto);
}

/** Whether automatic compaction is the API's: as long as a request can be made at all. */
export function isLeftToServer({ count }: Pick<View, "count">, facts: Facts): boolean {
  return nativeCompactionOf(facts) === "server" && count.tokens < facts.thresholds.blocking;
}
