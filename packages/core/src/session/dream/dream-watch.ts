import {
  type DreamHappening,
  type DreamOutcome,
  type DreamTask,
  nextDreamTask,
  startDreamTask,
  toDreamEvent,
} from "../../layers/6-dream/rules/dream-task.ts";
import type { DreamAuthor, EventBody } from "../../spec/index.ts";

/** A dream as a task that people see. */
export interface DreamWatch {
  readonly id: string;
  happen(happening: DreamHappening): void;
  end(outcome: DreamOutcome, message?: string): DreamTask;
}

/** Announces the dream and whatever changes about it. */
export function createDreamWatch(
  id: string,
  by: DreamAuthor,
  emit: (event: EventBody) => void = () => undefined,
): DreamWatch {
  let task = startDreamTask(id, by);
  emit(toDreamEvent(task));
  function happen(happening: DreamHappening): void {
    const next = nextDreamTask(task, happening);
    if (next === task) return;
    task = next;
    emit(toDreamEvent(task, happening));
  }
  return {
    id,
    happen,
    end(outcome, message) {
      happen({ kind: "end", outcome, ...(message === undefined ? {} : { message }) });
      return task;
    },
  };
}
