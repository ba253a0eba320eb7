import type { OwnSecretMask } from "@palimpsest/core/internal";
import type { HookInputs, HookName, Hooks, HookVerdict, LoopEvent } from "@palimpsest/core/spec";
import { type Run, sceneOf, warn } from "./run.ts";

const silence: HookVerdict = { contexts: [], messages: [], warnings: [] };

/** Runs the hooks of a name; what they have to say to the person is said. Once interrupted, nobody is asked. */
export async function runHooks<Name extends HookName>(
  run: Run,
  name: Name,
  input: HookInputs[Name],
): Promise<HookVerdict> {
  const { hooks } = run.setup;
  if (run.signal.aborted || !hooks.has(name)) return silence;
  const verdict = await hooks.run(name, { ...input, ...sceneOf(run) }, run.signal);
  for (const text of verdict.messages) run.emit({ type: "message-show", level: "info", text });
  for (const text of verdict.warnings) warn(run, text);
  return verdict;
}

/** For sessions of the program's own: no hook hears of them. */
export const noHooks: Hooks = {
  has: () => false,
  run: async () => ({ contexts: [], messages: [], warnings: [] }),
};

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
