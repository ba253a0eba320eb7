import type { Finish } from "./finish.ts";
import { attachContexts } from "./notices.ts";
import { type Run, warn } from "./run.ts";
import { runHooks } from "./run-hooks.ts";

export interface Hearing {
  readonly hasHeard: boolean;
  /** A hook ends the run. */
  readonly finish?: Finish;
}

/**
 * Takes in what the user has said in the meantime, oldest first, each as one message. Hooks judge it like every prompt;
 * what they refuse is told to the person. What is not heard because of an interrupt goes on waiting.
 */
export async function drainQueuedPrompts(run: Run): Promise<Hearing> {
  let hasHeard = false;
  for (;;) {
    const [prompt] = run.queued;
    if (prompt === undefined || run.signal.aborted) return { hasHeard };
    const { stop, block, contexts } = await runHooks(run, "UserPromptSubmit", { prompt });
    if (run.signal.aborted) return { hasHeard };
    run.queued.shift();
    if (stop !== undefined) return { hasHeard, finish: { reason: "hook", message: stop } };
    if (block !== undefined) warn(run, block);
    else {
      await attachContexts(run, contexts);
      await run.handle.session.add({ role: "user", content: prompt });
      hasHeard = true;
    }
  }
}
