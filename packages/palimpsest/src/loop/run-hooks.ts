import type { HookInputs, HookName, HookVerdict } from "@palimpsest/core/spec";
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
