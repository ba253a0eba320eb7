import { type DecisionEntry, type Entry, type EntryDraft, fail, ok, type Result } from "../spec/index.ts";
import type { SessionLog } from "./session-log.ts";
import type { SessionState } from "./session-state.ts";
import type { ThinkingGuard } from "./thinking-guard.ts";
import { changesView, stateWithout } from "./undo-trial.ts";

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
  return changesView(state, after.value) ? ok(entry) : hidden(entry, state, log);
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
          fix: "Rewind to the entry you want to go on from.",
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

function buried({ id, decision }: DecisionEntry, first: string): Result<never> {
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
  if (above.ok) return buried(entry, newest);
  if (above.error.code !== "conflict") return above;
  const first = above.error.facts?.first;
  return typeof first === "string" ? buried(entry, first) : changesNothing(entry);
}

/**
 * Names the decision to undo first. Undoing what is named shows, and brings the one that is asked for nearer: without the
 * newest so many decisions behind it, it would show; of these the oldest is what hides it, or is hidden itself by one of
 * the others. Restores are not among them: what they brought back is.
 */
async function hidden(entry: DecisionEntry, state: SessionState, log: SessionLog): Promise<Result<never>> {
  const later = await laterDecisions(entry, state, log);
  if (!later.ok) return later;
  const showsWithout = async (count: number): Promise<Result<boolean>> => {
    const gone = later.value.slice(0, count);
    const without = await stateWithout(state, log, gone);
    if (!without.ok) return without;
    const both = await stateWithout(state, log, [...gone, entry]);
    return both.ok ? ok(changesView(without.value, both.value)) : both;
  };
  const hiding = await fewest(later.value.length, showsWithout);
  if (!hiding.ok) return hiding;
  const covering = later.value.slice(0, hiding.value ?? 0);
  for (const candidate of [...covering.slice(-1), ...covering.slice(0, -1)]) {
    const without = await stateWithout(state, log, [candidate]);
    if (!without.ok) return without;
    if (changesView(state, without.value)) return buried(entry, candidate.id);
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
async function fewest(
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

/** Decisions behind an entry that are in force and can hide it, newest first. */
async function laterDecisions(
  { seq }: DecisionEntry,
  state: SessionState,
  log: SessionLog,
): Promise<Result<readonly DecisionEntry[]>> {
  const later: DecisionEntry[] = [];
  for await (const one of log.readAfter(seq, () => false)) {
    if (!one.ok) return one;
    const entry = one.value;
    if (entry.kind !== "decision" || !state.isLive(entry.seq) || state.isUndone(entry.id)) continue;
    const { type } = entry.decision;
    if (type !== "rewind" && type !== "restore") later.unshift(entry);
  }
  return ok(later);
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
