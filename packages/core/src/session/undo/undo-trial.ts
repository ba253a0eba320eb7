import { type DecisionEntry, type Entry, ok, type Result } from "../../spec/index.ts";
import type { SessionLog } from "../session-log.ts";
import type { SessionState } from "../session-state.ts";

/** The state as it would be with decisions undone, in their order. Nothing is written, and nobody learns from it. */
export async function stateWithout(
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
export function changesView(one: SessionState, other: SessionState): boolean {
  const { items } = one;
  const { items: others } = other;
  if (items.length !== others.length) return true;
  return items.some((item, at) => item.role !== others[at]?.role || item.json !== others[at]?.json);
}
