import type { Capabilities } from "@palimpsest/core/spec";
import type { Run } from "./run.ts";

/** How long a server may take to say what its model can do. */
export const capabilitiesWaitMs = 3_000;

/**
 * Asks the server what a model can do of which the catalog knows nothing: above all how much it takes. Where the server
 * does not say, the run goes on with what is assumed of unknown models.
 */
export async function learnModel(run: Run): Promise<void> {
  const { handle, setup, signal } = run;
  const { model } = handle.head();
  if (handle.config().catalog.capabilities(model).known) return;
  const found = await setup.modelFor(model);
  if (!found.ok || !found.value.capabilities) return;
  const done = new AbortController();
  const late = new AbortController();
  const wait = handle.clock.sleep(capabilitiesWaitMs, done.signal).then(() => late.abort());
  const told = await found.value.capabilities(AbortSignal.any([signal, late.signal]));
  done.abort();
  await wait;
  if (told.ok) await handle.learnCapabilities(withOutput(told.value, handle.config().capabilities.maxOutput));
}

/** Servers that say how much a model takes rarely say how much it gives: no more than a quarter of that is asked for. */
function withOutput(told: Partial<Capabilities>, assumed: number): Partial<Capabilities> {
  const { contextWindow, maxOutput } = told;
  if (contextWindow === undefined || maxOutput !== undefined) return told;
  return { ...told, maxOutput: Math.min(assumed, Math.floor(contextWindow / 4)) };
}
