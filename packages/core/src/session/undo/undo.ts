import { type DecisionEntry, type Entry, type EntryDraft, fail, ok, type Result } from "../../spec/index.ts";
import type { ThinkingGuard } from "../cache/thinking-guard.ts";
import type { SessionLog } from "../session-log.ts";
import type { SessionState } from "../session-state.ts";

/** The entry with that id. Reads the log: ids are not kept in memory. */
export async function findEntry(log: SessionLog, id: string): Promise<Result<Entry>> {
  for await (const entry of log.readAfter(0, () => false)) {
    if (!entry.ok) return entry;
    if (entry.value.id === id) return entry;
  }
  return fail("not-found", `There is no entry ${id} in this session.`, {
    path: id,
    fix: "“session.entries()” lists all there are.",
  });
}

/**
 * Finds what to undo: the newest live compaction unless named. An undo that would change nothing is refused, with what
 * to undo first.
 */
export async function undoTarget(
  state: SessionState,
  log: SessionLog,
  decisionId: string | undefined,
): Promise<Result<DecisionEntry>> {
  const newest = state.liveCompactions.at(-1);
  const id = decisionId ?? newest?.id;
  if (id === undefined) {
    return fail("not-found", "There is no compaction to undo.", { fix: "Name the decision to undo." });
  }
  const found = await findEntry(log, id);
  if (!found.ok) return found;
  const entry = found.value;
  if (entry.kind !== "decision") {
    return fail("invalid-input", `${id} is a ${entry.kind}, not a decision.`, {
      path: id,
      fix: "Name a decision.",
    });
  }
  const ended = refuseEnded(entry, state);
  if (ended) return ended;
  if (entry.decision.type === "compact" && newest && newest.seq > entry.seq) {
    return buriedUnder(entry, newest.id, state, log);
  }
  const after = await stateWithout(state, log, [entry]);
  if (!after.ok) return after;
  return changesView(state, after.value) ? ok(entry) : refuseHidden(entry, state, log);
}

/** Refuses what is not in force any more; `null` for what is. */
function refuseEnded(entry: DecisionEntry, state: SessionState): Result<never> | null {
  const { id, decision } = entry;
  if (decision.type === "rewind") {
    const standing = state.rewindState(id);
    if (standing === "in-force") return null;
    return standing === "ended"
      ? fail("conflict", `${id} has no effect any more: it was undone, or the session went back behind it.`, {
          path: id,
          fix: "Rewind to the entry you want to continue from.",
        })
      : fail("conflict", `${id} moved the head, and the session has gone on from there.`, {
          path: id,
          fix: "Rewind to an entry of the former branch, or open a fork of it.",
        });
  }
  if (!state.isUndone(id) && state.isLive(entry.seq) && !isEndedEdit(entry, state)) return null;
  return fail(
    "conflict",
    `${id} has no effect any more: it was undone, or the session went back behind it.`,
    {
      path: id,
      fix: "Undo another decision, or the one that undid it.",
    },
  );
}

function refuseBuried({ id, decision }: DecisionEntry, first: string): Result<never> {
  const what = decision.type === "compact" ? `Compaction ${id}` : `${id} (${decision.type})`;
  return fail("conflict", `${what} is buried under ${first}: undoing it alone would change nothing.`, {
    path: id,
    fix: `Undo ${first} first.`,
    facts: { first },
  });
}

/** Names the newest compaction, or what is to be undone before that one can be. */
async function buriedUnder(
  entry: DecisionEntry,
  newest: string,
  state: SessionState,
  log: SessionLog,
): Promise<Result<never>> {
  const above = await undoTarget(state, log, newest);
  if (above.ok) return refuseBuried(entry, newest);
  if (above.error.code !== "conflict") return above;
  const first = above.error.facts?.first;
  return typeof first === "string" ? refuseBuried(entry, first) : changesNothing(entry);
}

/**
 * Names the decision to undo first. Undoing what is named shows, and brings the one that is asked for nearer: without the
 * newest so many changes since it took effect, it would show; the oldest of these is what hides it, or is hidden itself by
 * one of the others. What was brought back is named rather than the restore that did it, unless it is buried.
 */
async function refuseHidden(
  entry: DecisionEntry,
  state: SessionState,
  log: SessionLog,
): Promise<Result<never>> {
  const later = await laterDecisions(entry, state, log);
  if (!later.ok) return later;
  const showsWithout = async (count: number): Promise<Result<boolean>> => {
    const gone = later.value.slice(0, count).map(({ decision, restore }) => restore ?? decision);
    const without = await stateWithout(state, log, gone);
    if (!without.ok) return without;
    const both = await stateWithout(state, log, [...gone, entry]);
    return both.ok ? ok(changesView(without.value, both.value)) : both;
  };
  const hiding = await smallestCount(later.value.length, showsWithout);
  if (!hiding.ok) return hiding;
  const covering = later.value.slice(0, hiding.value ?? 0);
  for (const { decision, restore } of [...covering.slice(-1), ...covering.slice(0, -1)]) {
    for (const candidate of [decision, ...(restore ? [restore] : [])]) {
      if (state.isUndone(candidate.id)) continue;
      const without = await stateWithout(state, log, [candidate]);
      if (!without.ok) return without;
      if (changesView(state, without.value)) return refuseBuried(entry, candidate.id);
    }
  }
  return changesNothing(entry);
}

function changesNothing({ id, decision }: DecisionEntry): Result<never> {
  return fail("conflict", `Undoing ${id} (${decision.type}) would change nothing that the model sees.`, {
    path: id,
    fix: "Undo another decision: “session.entries()” lists them.",
  });
}

/** The smallest count up to `most` that suffices; `null` where all of them do not. More suffice where fewer do. */
async function smallestCount(
  most: number,
  suffices: (count: number) => Promise<Result<boolean>>,
): Promise<Result<number | null>> {
  const all = await suffices(most);
  if (!all.ok) return all;
  if (!all.value) return ok(null);
  let [enough, tooFew] = [most, 0];
  while (enough - tooFew > 1) {
    const middle = (enough + tooFew) >> 1;
    const found = await suffices(middle);
    if (!found.ok) return found;
    if (found.value) enough = middle;
    else tooFew = middle;
  }
  return ok(enough);
}

/** A decision that was made, undone or brought back since another one took effect. */
interface Change {
  readonly decision: DecisionEntry;
  /** The restore that did it last; absent where it was only made. */
  readonly restore?: DecisionEntry;
  /** Whether it is in force and was not then, or the other way round. */
  readonly isOther: boolean;
}

/**
 * Decisions to undo, newest change first, to have again what was in force when an entry took effect: decisions that
 * came into force since, and restores for those that were in force. An entry that was brought back took effect only
 * then, and what was brought back since may be older than it. Of restores that speak of the same decision as the entry
 * itself each counts: together they may leave that decision as it was, and not the restores that the entry is about.
 */
async function laterDecisions(
  { id, seq }: DecisionEntry,
  state: SessionState,
  log: SessionLog,
): Promise<Result<readonly Change[]>> {
  /** Of each decision itself, of each restore the decision that it speaks of in the end. */
  const roots = new Map<string, DecisionEntry>();
  const own = new Set([id]);
  const changes = new Map<string, Change>();
  for await (const one of log.readAfter(0, () => false)) {
    if (!one.ok) return one;
    const entry = one.value;
    if (entry.kind !== "decision" || !state.isLive(entry.seq)) continue;
    const { decision } = entry;
    const restored = decision.type === "restore" ? decision.decision : undefined;
    const root = restored === undefined ? entry : roots.get(restored);
    if (root) roots.set(entry.id, root);
    if (!root || entry.seq <= seq || root.decision.type === "rewind") continue;
    if (restored !== undefined && own.has(restored)) {
      own.add(entry.id);
      changes.clear();
    } else if (restored === undefined || root === roots.get(id)) {
      const isOther = !changes.has(restored ?? "");
      changes.set(entry.id, { decision: entry, isOther });
    } else {
      const isOther = !changes.get(root.id)?.isOther;
      changes.delete(root.id);
      changes.set(root.id, { decision: root, restore: entry, isOther });
    }
  }
  const standing = ({ decision, restore }: Change) => restore !== undefined || !state.isUndone(decision.id);
  return ok([...changes.values()].toReversed().filter((change) => change.isOther && standing(change)));
}

/** A cache edit that is no longer sent, since it was taken back or a compaction ended it. */
function isEndedEdit({ decision, id }: DecisionEntry, { items }: SessionState): boolean {
  if (decision.type !== "cache-edit" || decision.behind === undefined) return false;
  return !items.some(({ entry }) => entry === id);
}

/**
 * Whether the former view may come back: it has to fit, and no thinking of an open round may lose its ground. Thinking
 * does not stand on cache edits.
 */
export function checkUndo(
  { decision, id, seq }: DecisionEntry,
  tokensNow: number,
  limit: number,
  guard: Pick<ThinkingGuard, "forbidsUndo">,
): Result<void> {
  if (decision.type !== "cache-edit" && guard.forbidsUndo(seq)) {
    const message = `${id} cannot be undone while a round of tool calls is open: the model's thinking is bound to it.`;
    return fail("conflict", message, { path: id, fix: "Undo it once the turn has ended." });
  }
  const comesBack =
    decision.type === "compact" ? decision.tokensBefore - decision.tokensAfter : decision.frees;
  const tokens = tokensNow + comesBack;
  if (!(comesBack > 0) || tokens < limit) return ok();
  const overBy = tokens - limit + 1;
  const message = `Without ${id} the context would have about ${tokens} tokens: ${overBy} too many for the window.`;
  return fail("too-large", message, {
    path: id,
    fix: "Use a model with a larger window, or read what it hides with “session.recall”.",
    facts: { tokens, limit, overBy },
  });
}

const engineHead = { layer: "engine", frees: 0 } as const;

/** Makes a decision dead. */
export function restoreDraft(
  { id, seq }: Pick<Entry, "id" | "seq">,
  basis: number,
  reason = "undone on request",
): EntryDraft {
  const decision = { ...engineHead, type: "restore", reason, basis, decision: id, decisionSeq: seq } as const;
  return { kind: "decision", decision };
}

/** Moves the head to an entry. */
export function rewindDraft({ id, seq }: Pick<Entry, "id" | "seq">, basis: number): EntryDraft {
  const reason = "rewound on request";
  return { kind: "decision", decision: { ...engineHead, type: "rewind", reason, basis, to: id, toSeq: seq } };
}

/** The state as it would be with decisions undone, in their order. Nothing is written, and nobody learns from it. */
async function stateWithout(
  state: SessionState,
  log: SessionLog,
  decisions: readonly DecisionEntry[],
): Promise<Result<SessionState>> {
  const trial = state.copy();
  const restores = decisions.map(({ id, seq }, index): Entry => {
    const decision = {
      type: "restore",
      layer: "engine",
      reason: "tried",
      frees: 0,
      basis: state.head,
      decision: id,
      decisionSeq: seq,
    } as const;
    const own = state.lastSeq + 1 + index;
    return { v: 1, seq: own, epoch: 0, id: `tried_${own}`, at: "", kind: "decision", decision };
  });
  let needs: number | null = null;
  for (const restore of restores) needs = trial.add(restore);
  if (needs === null) return ok(trial);
  const rebuilding = trial.startRebuild();
  for await (const entry of log.readAfter(needs)) {
    if (!entry.ok) return entry;
    rebuilding.add(entry.value);
  }
  for (const restore of restores) rebuilding.add(restore);
  rebuilding.end();
  return ok(trial);
}

/** Whether the model would see anything else in the one state than in the other. */
function changesView(one: SessionState, other: SessionState): boolean {
  const { items } = one;
  const { items: others } = other;
  if (items.length !== others.length) return true;
  return items.some((item, at) => item.role !== others[at]?.role || item.json !== others[at]?.json);
}
