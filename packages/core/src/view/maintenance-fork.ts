import type { QuerySource } from "../spec/index.ts";

const maintenance: ReadonlySet<QuerySource> = new Set(["notes", "compaction", "memory", "collapse"]);

/** Whether requests of this source are the engine's own upkeep of a session, and no agent's work. */
export function isMaintenanceFork(source: QuerySource): boolean {
  return maintenance.has(source);
}

/** Whether requests of this source ask for a summary: layer 4's. */
export function isSummaryFork(source: QuerySource): boolean {
  return source === "compaction" || source === "collapse";
}
