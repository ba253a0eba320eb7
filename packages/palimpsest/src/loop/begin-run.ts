import { isMaintenanceFork } from "@palimpsest/core/internal";
import { type Finish, interrupted } from "./finish.ts";
import { hearQueued } from "./hear-queued.ts";
import { learnModel } from "./learn-model.ts";
import { attachContexts, attachNotices } from "./notices.ts";
import type { Run } from "./run.ts";
import { runHooks } from "./run-hooks.ts";
import { startSourceOf } from "./start-session.ts";
import { toTitle } from "./title.ts";

/**
 * Takes the user's word in, with what the model should know besides. Says why where a hook refuses it. Interrupted, it
 * is not taken in: hooks that were not heard have not agreed.
 */
export async function beginRun(run: Run, prompt: string): Promise<Finish | null> {
  const { handle, signal } = run;
  if (signal.aborted) return interrupted;
  if (run.isFork) return beginFork(run, prompt);
  const isNew = handle.statistics().turns === 0;
  const unready = (run.isFirst ? await beginSession(run) : null) ?? (await hearQueued(run)).finish;
  if (unready) return unready;
  const submitted = run.isAgent
    ? await runHooks(run, "SubagentStart", { agent: handle.session.id, directive: prompt })
    : await runHooks(run, "UserPromptSubmit", { prompt });
  if (signal.aborted) return interrupted;
  const refusal = submitted.block ?? submitted.stop;
  if (refusal !== undefined) return { reason: "hook", message: refusal };
  await attachNotices(run, "turn-start", prompt);
  if (signal.aborted) return interrupted;
  await attachContexts(run, submitted.contexts);
  const { id } = await handle.session.add({ role: "user", content: prompt });
  run.emit({ type: "run-start", session: handle.session.id, entry: id });
  if (isNew) await handle.note({ topic: "title", title: toTitle(prompt) });
  return null;
}

/** Once for each time the session is opened: whoever is interrupted here begins anew. */
async function beginSession(run: Run): Promise<Finish | null> {
  await learnModel(run);
  const started =
    run.isAgent || run.hasStarted
      ? undefined
      : await runHooks(run, "SessionStart", { source: startSourceOf(run.handle, run.startSource) });
  if (run.signal.aborted) return interrupted;
  if (started?.stop !== undefined) return { reason: "hook", message: started.stop };
  await attachNotices(run, "session-start");
  if (run.signal.aborted) return interrupted;
  await attachContexts(run, started?.contexts ?? []);
  run.isFirst = false;
  return null;
}

/** The session's own upkeep is nobody's agent: no hook is told of it. */
async function beginFork(run: Run, directive: string): Promise<Finish | null> {
  const { session, source } = run.handle;
  const started = isMaintenanceFork(source)
    ? undefined
    : await runHooks(run, "SubagentStart", { agent: session.id, directive });
  if (run.signal.aborted) return interrupted;
  const refusal = started?.block ?? started?.stop;
  if (refusal !== undefined) return { reason: "hook", message: refusal };
  await attachContexts(run, started?.contexts ?? []);
  const { id } = await session.add({ role: "user", content: directive, isMeta: true });
  run.emit({ type: "run-start", session: session.id, entry: id });
  return null;
}
