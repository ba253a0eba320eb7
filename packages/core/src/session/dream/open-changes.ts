import type { ConsolidateLock, Store } from "../../spec/index.ts";
import { createIndexKeeper } from "../memory/index-keeper.ts";
import { createMemorySurvey } from "../memory/survey-memories.ts";
import { createDreamChanges, type DreamChanges } from "./dream-changes.ts";

/** The change sets of a project, and what brings the index in step with its memories. */
export interface OpenChanges {
  readonly changes: DreamChanges;
  readonly refreshIndex: () => Promise<unknown>;
}

export function openChanges(store: Store, lock: ConsolidateLock): OpenChanges {
  const memory = store.tree("memory");
  const survey = createMemorySurvey(memory);
  const keeper = createIndexKeeper({ tree: memory, survey, onProblem: () => undefined });
  const refreshIndex = () => keeper.rebuild({ author: "dream", source: "index" });
  const changes = createDreamChanges({ memory, dreams: store.tree("dreams"), lock, refreshIndex });
  return { changes, refreshIndex };
}
