import {
  type ContentBlock,
  type EntryDraft,
  type ForkKind,
  isBlock,
  ok,
  type RepairStep,
  type Result,
  type SessionHeader,
  type ViewItem,
} from "../spec/index.ts";
import { freedByRepair } from "../view/request/freed-by-repair.ts";
import { featuresOf } from "../view/tokens/index.ts";
import { createForkLog, rootOf } from "./fork-log.ts";
import type { LearnedGaps } from "./learned/learned-gaps.ts";
import type { LearnedRates } from "./learned/learned-rates.ts";
import { openSessionLog } from "./session-log.ts";
import type { SessionParts } from "./session-parts.ts";

/** What a fork is told of calls that its parent waits for. The same in every fork, so that they share it. */
export const pendingResultText =
  "This call goes on in the conversation that this one was forked from. Its result is not known here.";

export interface ForkPoint {
  readonly parts: SessionParts;
  readonly kind: ForkKind;
  /** The parent's header: system, tools and fields are named, not copied. */
  readonly header: SessionHeader;
  /** What tells of events in the session of that id. */
  readonly emitFor: (session: string) => SessionParts["emit"];
}

/**
 * What a fork is made of: the very head, settings and prices of its parent, the parent's state as it stands now, and a
 * log of its own that goes on with the parent's numbers. Nothing is copied to disk, the parent's log is not read, and
 * nothing that the fork does or learns reaches the parent. It cannot fork in turn.
 */
export async function openFork({ parts, kind, header, emitFor }: ForkPoint): Promise<Result<SessionParts>> {
  const { store, ids, durability } = parts;
  const id = `${rootOf(parts.id)}/${ids.next("fork")}`;
  const state = parts.state.copy();
  const seq = state.lastSeq;
  const parent = { session: parts.id, seq, prefixDigest: state.prefixDigest(state.items.length), kind };
  const own = await openSessionLog({
    store,
    session: id,
    first: { kind: "session", session: { ...header, id, parent } },
    afterSeq: seq,
    isReadOnly: false,
    durability,
    visit: state.add,
  });
  if (!own.ok) return own;
  const log = createForkLog(parts.log, seq, own.value);
  const { loop: _loop, ...shared } = parts;
  const rates = withoutLearning(parts.rates);
  const gaps = withoutSeeing(parts.gaps);
  const forked: SessionParts = {
    ...shared,
    id,
    source: kind,
    parent,
    state,
    log,
    rates,
    gaps,
    emit: emitFor(id),
  };
  const answered = await answerPending(forked);
  if (answered.ok) return ok(answered.value ? { ...forked, sharedItems: state.items.length } : forked);
  await log.close();
  return answered;
}

/** Calls that the parent has not answered yet get a result that says so, here and not there. Whether there were any. */
async function answerPending({ state, log, rates, head, emit }: SessionParts): Promise<Result<boolean>> {
  const steps = pendingCalls(state.items).map(
    (toolUseId): RepairStep => ({ repair: "synthetic-result", toolUseId, text: pendingResultText }),
  );
  if (steps.length === 0) return ok(false);
  const tokensOf = (block: ContentBlock) => rates.calibration.estimate(head.model, featuresOf(block)).tokens;
  const frees = freedByRepair(state.items, steps, tokensOf);
  const about = { layer: "engine", reason: "the parent waits for these calls", frees } as const;
  const draft: EntryDraft = {
    kind: "decision",
    decision: { ...about, type: "repair", basis: state.head, steps },
  };
  const appended = await log.append([draft]);
  if (!appended.ok) return appended;
  for (const entry of appended.value) {
    state.add(entry);
    emit({ type: "decision-record", decision: "repair", id: entry.id, ...about });
  }
  return ok(true);
}

function pendingCalls(items: readonly ViewItem[]): readonly string[] {
  const answer = items.slice(items.findLastIndex(({ role }) => role === "user") + 1);
  return answer.flatMap(({ block }) => (isBlock(block, "tool_use") ? block.id : []));
}

function withoutLearning({ calibration }: LearnedRates): LearnedRates {
  return { calibration, observe: () => undefined, saveIfDue: () => undefined, settle: async () => undefined };
}

/** Requests of a fork say nothing about how long its user thinks. */
function withoutSeeing(gaps: LearnedGaps): LearnedGaps {
  return { ...gaps, see: () => undefined, settle: async () => undefined };
}
