import { type DecisionEntry, PalimpsestError, type Session } from "@palimpsest/core/spec";

/** What a person sees going out of the context, and may want back. */
const undoable: ReadonlySet<string> = new Set(["compact", "fold", "snip"]);

/**
 * Takes back the newest compaction, folding or snip that is in force: asked again and again, all of them, newest first.
 * Old results that were cleared come back only by their ids.
 */
export async function undoNewest(session: Session): ReturnType<Session["undo"]> {
  for (const { id } of await decisionsOf(session)) {
    try {
      return await session.undo(id);
    } catch (cause) {
      if (!PalimpsestError.isInstance(cause) || cause.code !== "conflict") throw cause;
    }
  }
  return session.undo();
}

/** Newest first, without those that a restore names. */
async function decisionsOf(session: Session): Promise<readonly DecisionEntry[]> {
  const found: DecisionEntry[] = [];
  const restored = new Set<string>();
  for await (const entry of session.entries()) {
    if (entry.kind !== "decision") continue;
    if (undoable.has(entry.decision.type)) found.unshift(entry);
    if (entry.decision.type === "restore") restored.add(entry.decision.decision);
  }
  return found.filter(({ id }) => !restored.has(id));
}
