import { type DecisionEntry, type Entry, type EntryDraft, fail, ok, type Result } from "../spec/index.ts";
import type { SessionLog } from "./session-log.ts";
import type { SessionState } from "./session-state.ts";
import type { ThinkingGuard } from "./thinking-guard.ts";

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

/** What to restore: the newest live compaction unless named. A buried compaction is refused with what to undo first. */
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
  const isGone = entry.decision.type !== "rewind" && (!state.isLive(entry.seq) || isEndedEdit(entry, state));
  if (state.isUndone(id) || isGone) {
    return fail(
      "conflict",
      `${id} has no effect any more: it was undone, or the session went back behind it.`,
      {
        path: id,
        fix: "Undo another decision, or the one that undid it.",
      },
    );
  }
  if (!state.isRestorable(id)) {
    return fail("conflict", `${id} moved the head, and the session has gone on from there.`, {
      path: id,
      fix: "Rewind to an entry of the former branch, or open a fork of it.",
    });
  }
  if (entry.decision.type === "compact" && newest && newest.seq > entry.seq) {
    return fail("conflict", `Compaction ${id} is buried under ${newest.id}.`, {
      path: id,
      fix: `Undo ${newest.id} first.`,
      facts: { first: newest.id },
    });
  }
  return ok(entry);
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
  if (comesBack <= 0 || tokens < limit) return ok();
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
export function restoreDraft({ id, seq }: Pick<Entry, "id" | "seq">, basis: number): EntryDraft {
  const reason = "undone on request";
  const decision = { ...engineHead, type: "restore", reason, basis, decision: id, decisionSeq: seq } as const;
  return { kind: "decision", decision };
}

/** Moves the head to an entry. */
export function rewindDraft({ id, seq }: Pick<Entry, "id" | "seq">, basis: number): EntryDraft {
  const reason = "rewound on request";
  return { kind: "decision", decision: { ...engineHead, type: "rewind", reason, basis, to: id, toSeq: seq } };
}
