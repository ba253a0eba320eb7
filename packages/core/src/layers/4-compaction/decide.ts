import type { CompactionRecords, Facts, Moment, RequestPatch, Verdict, View } from "../../spec/index.ts";
import { compactionEditBeta, isNativeBlock, isSignedBlock } from "../../view/request/native-block.ts";
import type { CompactionCommand } from "./ports.ts";
import { noCompactions } from "./rules/compaction-records.ts";
import {
  decideCompaction,
  guardCompaction,
  holdReason,
  nativeCompactionOf,
  serverTriggerTokens,
} from "./rules/decide-compaction.ts";

/** Before a request: what the coordinator decides, as a verdict. */
export function decideVerdict(view: View, moment: Moment, facts: Facts): Verdict<CompactionCommand> {
  const records = facts.compaction ?? noCompactions;
  const plan = decideCompaction(view, moment, facts, { records });
  const { reason } = plan;
  if (plan.plan === "wait") return { verdict: "skip", reason };
  const basis = view.head;
  if (plan.plan === "prepare") {
    /** Work in the background outlives the view it was decided on. */
    const frozen = { ...view, items: [...view.items] };
    const command = { act: "prepare", view: frozen, facts, records } as const;
    return { verdict: "act", command, run: "background", reason, frees: 0, basis };
  }
  const command = { act: "compact", plan, view, facts, records } as const;
  const after = (facts.headTokens ?? 0) + plan.budget.totalTokens;
  const frees = Math.max(0, view.count.tokens - after);
  return { verdict: "act", command, run: "inline", reason, frees, basis };
}

/** The beta header that context management needs. */
const contextManagementBeta = "context-management-2025-06-27";

/** The layer's action about the API's own compaction. */
export type NativeCommand =
  /** The request says what it has to say: nothing is done here. */
  | { readonly act: "native"; readonly does: "ask" }
  /** The API has compacted on the way to an answer: what its block stands for leaves the view. */
  | {
      readonly act: "native";
      readonly does: "cut";
      readonly view: View;
      /** Position of the block. */
      readonly position: number;
      readonly headTokens: number;
      readonly reason: string;
      readonly facts: Facts;
      readonly records: CompactionRecords;
    };

/**
 * Records the API's own compaction, whatever else is decided: its block has come with a response, now or before the
 * session was last closed. `null` where there is nothing to record.
 */
export function decideNative(view: View, moment: Moment, facts: Facts): Verdict<NativeCommand> | null {
  const isDue =
    moment.kind === "after-response" || (moment.kind === "before-request" && moment.trigger === "auto");
  const position = isDue && nativeCompactionOf(facts) === "server" ? newestResponseBlock(view) : -1;
  if (position > 0) return cut(view, position, facts);
  if (moment.kind !== "after-response") return null;
  return { verdict: "skip", reason: "the API has compacted nothing" };
}

/** A verdict with which the request asks the API to compact, where it is to. */
export function withNativeRequest<Command>(
  verdict: Verdict<Command>,
  view: View,
  moment: Moment,
  facts: Facts,
): Verdict<Command | NativeCommand> {
  const edit = editPatch(view, moment, facts);
  if (!edit) return verdict;
  const { request, reason } = edit;
  if (verdict.verdict === "act") return { ...verdict, request: { ...verdict.request, ...request } };
  const command = { act: "native", does: "ask" } as const;
  return { verdict: "act", command, run: "inline", reason, frees: 0, basis: view.head, request };
}

/** The edit that lets the API compact from the threshold on, where automatic compaction is allowed at all. */
function editPatch(view: View, moment: Moment, facts: Facts) {
  if (moment.kind !== "before-request" || moment.trigger === "manual") return null;
  if (nativeCompactionOf(facts) !== "server" || guardCompaction(moment, facts, view.count.tokens) !== null)
    return null;
  if (holdReason(view, facts, facts.compaction ?? noCompactions) !== null) return null;
  const value = serverTriggerTokens(facts);
  const edit = { type: "compact_20260112", trigger: { type: "input_tokens", value } };
  const request: RequestPatch = {
    context_management: { edits: [edit] },
    betas: [contextManagementBeta, compactionEditBeta],
  };
  return { request, reason: `the API compacts from ${value} tokens on` };
}

/** Position of the newest block that an entry of a response begins with; -1 without one. */
function newestResponseBlock({ items }: View): number {
  const position = items.findLastIndex(
    ({ block, role, entry, decision }) =>
      role === "assistant" && decision !== entry && isNativeBlock(block) && !isSignedBlock(block),
  );
  return items[position]?.entry === items[position - 1]?.entry ? -1 : position;
}

function cut(view: View, position: number, facts: Facts): Verdict<NativeCommand> {
  const reason = "the API has compacted what came before its answer";
  const headTokens = facts.headTokens ?? 0;
  const records = facts.compaction ?? noCompactions;
  const command = { act: "native", does: "cut", view, position, headTokens, reason, facts, records } as const;
  return { verdict: "act", command, run: "inline", reason, frees: 0, basis: view.head };
}
