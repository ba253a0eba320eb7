import { type Entry, fail, ok, type Result } from "../spec/index.ts";
import type { SessionLog } from "./session-log.ts";
import type { SessionState } from "./session-state.ts";

/** The entry with that id. Reads the log: ids are not kept in memory. */
export async function findEntry(log: SessionLog, id: string): Promise<Result<Entry>> {
  for await (const entry of log.readAfter(0)) {
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
): Promise<Result<{ readonly id: string; readonly seq: number }>> {
  const live = state.liveCompactions;
  if (decisionId === undefined) {
    const newest = live.at(-1);
    return newest
      ? ok(newest)
      : fail("not-found", "There is no compaction to undo.", { fix: "Name the decision to undo." });
  }
  const found = await findEntry(log, decisionId);
  if (!found.ok) return found;
  const entry = found.value;
  if (entry.kind !== "decision") {
    return fail("invalid-input", `${decisionId} is a ${entry.kind}, not a decision.`, {
      path: decisionId,
      fix: "Name a decision.",
    });
  }
  const above = live.at(-1);
  if (entry.decision.type === "compact" && above && above.seq > entry.seq) {
    return fail("conflict", `Compaction ${decisionId} is buried under ${above.id}.`, {
      path: decisionId,
      fix: `Undo ${above.id} first.`,
      facts: { first: above.id },
    });
  }
  return ok(entry);
}
