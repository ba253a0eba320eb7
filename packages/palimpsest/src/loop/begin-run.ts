import { firstChars, isMaintenanceFork, toPlainTitle } from "@palimpsest/core/internal";
import type { Capabilities } from "@palimpsest/core/spec";
import { withTimeLimit } from "../signals.ts";
import { attachContexts, attachNotices, drainQueuedPrompts, startSourceOf } from "./drain-queued-prompts.ts";
import { type Finish, interrupted, type Run } from "./run.ts";
import { runHooks } from "./run-hooks.ts";

/**
 * Takes the user's word in, with what the model should know besides. Says why where a hook refuses it. Interrupted, it
 * is not taken in: hooks that were not heard have not agreed.
 */
export async function beginRun(run: Run, prompt: string): Promise<Finish | null> {
  const { handle, signal } = run;
  if (signal.aborted) return interrupted;
  if (run.isFork) return beginFork(run, prompt);
  const isNew = handle.statistics().turns === 0;
  const unready = (run.isFirst ? await beginSession(run) : null) ?? (await drainQueuedPrompts(run)).finish;
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

const maxTitleChars = 60;

/** A session's title in lists: the beginning of what was asked first, on one line without marks or tags. */
export function toTitle(prompt: string): string {
  const line = toPlainTitle(prompt, 4 * maxTitleChars);
  if (line.length <= maxTitleChars) return line;
  const cut = firstChars(line, maxTitleChars - 1);
  const atWord = cut.lastIndexOf(" ");
  return `${atWord > maxTitleChars / 2 ? cut.slice(0, atWord) : cut}…`;
}

/** How long a server may take to say what its model can do. */
const capabilitiesWaitMs = 3_000;

/**
 * Asks the server what a model can do of which the catalog knows nothing: above all how much it takes. Where the server
 * does not say, the run goes on with what is assumed of unknown models.
 */
async function learnModel(run: Run): Promise<void> {
  const { handle, setup, signal } = run;
  const { model } = handle.head();
  if (handle.config().catalog.capabilities(model).known) return;
  const found = await setup.modelFor(model);
  if (!found.ok || !found.value.capabilities) return;
  const told = await withTimeLimit(capabilitiesWaitMs, handle.clock, async (late) =>
    found.value.capabilities?.(AbortSignal.any([signal, late])),
  );
  if (told?.ok)
    await handle.learnCapabilities(withOutput(told.value, handle.config().capabilities.maxOutput));
}

/** Servers that say how much a model takes rarely say how much it gives: no more than a quarter of that is asked for. */
function withOutput(told: Partial<Capabilities>, assumed: number): Partial<Capabilities> {
  const { contextWindow, maxOutput } = told;
  if (contextWindow === undefined || maxOutput !== undefined) return told;
  return { ...told, maxOutput: Math.min(assumed, Math.floor(contextWindow / 4)) };
}
