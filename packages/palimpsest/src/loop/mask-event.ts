import type { OwnSecretMask } from "@palimpsest/core/internal";
import type { LoopEvent } from "@palimpsest/core/spec";

/** What others than the user and the model say. Results come masked; a call is shown as the model makes it. */
const foreign: ReadonlySet<LoopEvent["type"]> = new Set([
  "notice-add",
  "response-cut",
  "retry-wait",
  "model-fallback",
  "tool-progress",
  "message-show",
]);

/** An event as it may be told: without keys of the process. */
export function maskEvent(event: LoopEvent, secrets: OwnSecretMask): LoopEvent {
  return foreign.has(event.type) ? secrets.value(event) : event;
}
