import { type ModelEvent, ok, type Result } from "../spec/index.ts";
import { type AssembledContent, createContentAssembly } from "./content-assembly.ts";

export interface AssembledResponse extends AssembledContent {
  /** The response came to its end. */
  readonly isWhole: boolean;
}

/**
 * What the events of a response amount to, whether it came whole or was cut. Of a cut one there is the text so far; a
 * call that was cut is named among the broken ones. Pure.
 */
export function assembleContent(events: Iterable<ModelEvent>): Result<AssembledResponse> {
  const assembly = createContentAssembly();
  for (const event of events) {
    if (event.type === "response-start") continue;
    if (event.type === "response-end") {
      const ended = assembly.end(event.stopReason);
      return ended.ok ? ok({ ...ended.value, isWhole: true }) : ended;
    }
    const added = assembly.add(event);
    if (!added.ok) return added;
  }
  return ok({ ...assembly.partial(), isWhole: false });
}
