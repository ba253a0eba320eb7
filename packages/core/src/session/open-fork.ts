import {
  type ContentBlock,
  type Entry,
  type EntryDraft,
  type ForkKind,
  isBlock,
  ok,
  type RepairStep,
  type Result,
  type SessionHeader,
  type Store,
  type ViewItem,
} from "../spec/index.ts";
import { freedByRepair } from "../view/request/answer-repair.ts";
import { featuresOf } from "../view/tokens/index.ts";
import { fixedLifetime } from "./cache/cache-lifetime.ts";
import type { LearnedGaps, LearnedRates } from "./learned.ts";
import { openSessionLog, type SessionLog, type SessionLogRequest } from "./session-log.ts";
import type { SessionParts } from "./session-parts.ts";

/** What a fork is told of calls that its parent waits for. The same in every fork, so that they share it. */
export const pendingResultText =
  "This call goes on in the conversation that this one was forked from. Its result is not known here.";

interface ForkPoint {
  readonly parts: SessionParts;
  readonly kind: ForkKind;
  /** The parent's header: system, tools and fields are named, not copied. */
  readonly header: SessionHeader;
  /** Emits events in the session of that id. */
  readonly emitFor: (session: string) => SessionParts["emit"];
}

/**
 * Opens a fork: the very head, settings and prices of its parent, the parent's state as it stands now, and a log of its
 * own that goes on with the parent's numbers. Nothing is copied to disk, the parent's log is not read, and nothing that
 * the fork does or learns reaches the parent. It cannot fork in turn.
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
  const { loop: _loop, relay: _relay, ...shared } = parts;
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
    lifetime: fixedLifetime(parts.lifetime.ttl, "the conversation that it was forked from has it"),
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
  const still = { see: () => undefined, settle: async () => undefined };
  return { ...gaps, ...still, pauses: { ...gaps.pauses, ...still, begin: () => undefined } };
}

/**
 * The log of a fork as one: what its parent had when it began, then its own. Nothing is copied, and only its own can be
 * appended to.
 */
function createForkLog(
  parent: Pick<SessionLog, "readAfter" | "readBlob">,
  parentSeq: number,
  own: SessionLog,
): SessionLog {
  return {
    report: own.report,
    isReadOnly: own.isReadOnly,
    append: own.append,
    close: own.close,
    async readBlob(sha256) {
      const bytes = await own.readBlob(sha256);
      if (bytes.ok || bytes.error.code !== "not-found") return bytes;
      return parent.readBlob(sha256);
    },
    async *readAfter(seq, isNeeded?: (entry: Entry) => boolean) {
      if (seq < parentSeq) {
        for await (const entry of parent.readAfter(seq, isNeeded)) {
          if (entry.ok && entry.value.seq > parentSeq) break;
          yield entry;
          if (!entry.ok) return;
        }
      }
      yield* own.readAfter(Math.max(seq, parentSeq), isNeeded);
    },
  };
}

/** The session that a log belongs to: a fork's id begins with it, and what requests begin with is kept there. */
export function rootOf(session: string): string {
  return session.split("/")[0] as string;
}

/** Opens a log with everything it goes on from: a fork's begins in the log of its parent. */
export async function openWholeLog(request: SessionLogRequest): Promise<Result<SessionLog>> {
  const { store, session, visit } = request;
  const found = request.first || rootOf(session) === session ? ok(undefined) : await parentOf(store, session);
  if (!found.ok) return found;
  const parent = found.value;
  if (!parent) return openSessionLog(request);
  const above = await openWholeLog({
    ...request,
    session: parent.session,
    isReadOnly: true,
    visit: (entry) => {
      if (entry.seq <= parent.seq) visit(entry);
    },
  });
  if (!above.ok) return above;
  const own = await openSessionLog(request);
  return own.ok ? ok(createForkLog(above.value, parent.seq, own.value)) : own;
}

async function parentOf(store: Store, session: string): Promise<Result<SessionHeader["parent"]>> {
  let parent: SessionHeader["parent"];
  const scanned = await store.logs.scan(
    session,
    (entry) => {
      if (entry.kind === "session") ({ parent } = entry.session);
    },
    { limit: 1 },
  );
  return scanned.ok ? ok(parent) : scanned;
}
