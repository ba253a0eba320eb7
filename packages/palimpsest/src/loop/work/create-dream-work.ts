import type { Dreamer, DreamReport } from "@palimpsest/core/internal";
import { ok, type Result, type WorkDone, type WorkHandler, type WorkOrder } from "@palimpsest/core/spec";
import type { ProjectDreams } from "../dream/project-dreams.ts";

export interface DreamLocation {
  readonly dreams: Pick<ProjectDreams, "once">;
  /** A model where one can be reached, else the scribe. */
  readonly dreamer: Dreamer;
}

export type OpenDreamLocation = (order: WorkOrder) => Promise<Result<DreamLocation>>;

/**
 * Puts a project's memory in order, where its gates are open. The time of the last dream is one of them: done again it
 * finds them closed.
 */
export function createDreamWork(open: OpenDreamLocation): WorkHandler {
  return async (order, { signal }) => {
    const opened = await open(order);
    if (!opened.ok) return opened;
    const { dreams, dreamer } = opened.value;
    const report = await dreams.once(dreamer, { signal });
    return report.ok ? toDone(report.value) : report;
  };
}

function toDone(report: DreamReport): Result<WorkDone> {
  switch (report.outcome) {
    case "skipped":
      return ok({ message: `Not now: ${report.message ?? report.reason}.` });
    case "planned":
    case "completed":
      return ok({ message: `Dreamt: ${report.changeSet.changes.length} changes.` });
    case "failed":
    case "killed":
      return { ok: false, error: report.error };
  }
}
